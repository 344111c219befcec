-- KEYS: run. ARGV: process, token, lease in ms
local v = call('HMGET', KEYS[1], 'epoch', 'ended', 'until', 'lease_token')
if not v[1] then return {'missing'} end
if is(v[2]) then return {'finished'} end
if v[4] == ARGV[2] then return {'ok', tonumber(v[1])} end
local t = now()
if tonumber(v[3]) > t then return {'leased'} end
call('HSET', KEYS[1], 'process', ARGV[1], 'lease_token', ARGV[2], 'epoch', v[1] + 1, 'until', t + ARGV[3])
return {'ok', v[1] + 1}
