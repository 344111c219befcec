-- KEYS: run. ARGV: owner. Whoever runs it looks for the mark.
local v = call('HMGET', KEYS[1], 'owner', 'ended', 'cancelled')
if v[1] ~= ARGV[1] then return {'missing'} end
if is(v[2]) or v[3] == '1' then return {'ok'} end
call('HSET', KEYS[1], 'cancelled', 1)
return {'ok'}
