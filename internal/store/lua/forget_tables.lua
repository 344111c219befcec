-- KEYS: an owner's tables by age, by end, and their sizes. ARGV: now (0: not asked for), handles... Takes handles out of the count,
-- and what has ended by now, which it names.
local total = tonumber(call('HGET', KEYS[3], '') or 0)
local gone = {}
local function drop(handle)
  local size = call('HGET', KEYS[3], handle)
  if not size then return end
  total = total - size
  call('HDEL', KEYS[3], handle)
  call('ZREM', KEYS[1], handle)
  call('ZREM', KEYS[2], handle)
  gone[#gone + 1] = handle
end
for i = 2, #ARGV do drop(ARGV[i]) end
if ARGV[1] ~= '0' then
  for _, handle in ipairs(call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1000)) do drop(handle) end
end
if call('HLEN', KEYS[3]) <= 1 then
  call('UNLINK', KEYS[3])
else
  call('HSET', KEYS[3], '', string.format('%.0f', total))
end
return {'ok', gone}
