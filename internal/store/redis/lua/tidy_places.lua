-- KEYS: the runs of an owner by the time until which they count. Removes those that have not counted for an hour: processes that died
-- never said so, and a clock of theirs that is wrong takes nothing away.
call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now() - 3600000)
return {'ok'}
