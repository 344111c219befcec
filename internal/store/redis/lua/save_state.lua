-- KEYS: run. ARGV: epoch, state
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
if not v[1] then return {'missing'} end
if v[1] ~= ARGV[1] then return {'fenced', tonumber(v[1])} end
call('HSET', KEYS[1], 'state', ARGV[2])
return {'ok'}
