-- KEYS: session, runs, tables. ARGV: owner. The first half of a deletion: from here on it is gone for everybody, and what belongs to
-- it in other slots is told. The record stays until that is deleted too, so that a deletion that broke off can go on.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] then return {'missing'} end
call('HSET', KEYS[1], 'gone', 1, 'title', '')
return {v[2] and 'again' or 'ok', call('SMEMBERS', KEYS[2]), call('ZRANGE', KEYS[3], 0, -1)}
