-- KEYS: session, turns, runs, tables. ARGV: owner. The first half of a deletion: from here on it is gone for everybody, and what
-- belongs to it in other slots is told. The record stays until that is deleted too, so that a deletion that broke off can go on.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] then return {'missing'} end
call('UNLINK', KEYS[2])
call('HSET', KEYS[1], 'gone', 1)
call('HDEL', KEYS[1], 'title', 'ring')
return {v[2] and 'again' or 'ok', call('SMEMBERS', KEYS[3]), call('ZRANGE', KEYS[4], 0, -1)}
