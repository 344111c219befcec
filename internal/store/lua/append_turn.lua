-- KEYS: session, turns. ARGV: owner, token, turn, at
local v = call('HMGET', KEYS[1], 'owner', 'gone', 'ring', 'updated')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
if done(v[3], ARGV[2]) then return {'ok'} end
local n = call('RPUSH', KEYS[2], ARGV[3])
local updated = v[4]
if tonumber(ARGV[4]) > tonumber(updated) then updated = ARGV[4] end
call('HSET', KEYS[1], 'ring', remember(v[3], ARGV[2]), 'turns', n, 'updated', updated)
return {'ok'}
