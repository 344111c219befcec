-- KEYS: session. ARGV: owner, title
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
call('HSET', KEYS[1], 'title', ARGV[2])
return {'ok'}
