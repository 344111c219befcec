-- KEYS: session, turns. ARGV: owner, how many. The last turns, oldest first.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
local n = tonumber(call('HGET', KEYS[2], 'n') or 0)
local turns = {}
for i = math.max(1, n - ARGV[2] + 1), n do turns[#turns + 1] = call('HGET', KEYS[2], 't' .. i) end
return {'ok', turns}
