-- KEYS: run, events. ARGV: epoch, token, number of the first event, events... An event stands behind the token of its write.
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
if not v[1] then return {'missing'} end
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
local last, first = call('LLEN', KEYS[2]), tonumber(ARGV[3])
if first ~= last + 1 then
  local there = first >= 1 and last - first >= #ARGV - 4 and call('LINDEX', KEYS[2], first - 1)
  if there and string.sub(there, 1, 8) == ARGV[2] then return {'ok'} end
  return {'sequence', last}
end
for i = 4, #ARGV do ARGV[i] = ARGV[2] .. ARGV[i] end
call('RPUSH', KEYS[2], unpack(ARGV, 4))
return {'ok'}
