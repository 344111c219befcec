-- KEYS: session, its tables. ARGV: owner, handle, now in microseconds. Names a table in its session, unless that is gone.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
call('ZADD', KEYS[2], ARGV[3], ARGV[2])
return {'ok'}
