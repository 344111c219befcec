-- KEYS: session, turns. ARGV: owner, beginning of the turns of its run, turn. Answers with how many were replaced.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
local n, turns = 0, call('LRANGE', KEYS[2], 0, -1)
for i = #turns, 1, -1 do
  if string.sub(turns[i], 1, #ARGV[2]) == ARGV[2] then
    call('LSET', KEYS[2], i - 1, ARGV[3])
    n = n + 1
  end
end
return {'ok', n}
