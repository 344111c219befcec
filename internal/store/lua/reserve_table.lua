-- KEYS: an owner's tables by age, by end, and their sizes. ARGV: handle, bytes, made, ends, now, limit (times in microseconds).
-- Counts a table, and names those that must go: what has ended, then the oldest, until all are within the limit.
if call('HEXISTS', KEYS[3], ARGV[1]) == 1 then return {'known'} end
local total = tonumber(call('HGET', KEYS[3], '') or 0) + ARGV[2]
local gone = {}
local function drop(handle)
  total = total - (call('HGET', KEYS[3], handle) or 0)
  call('HDEL', KEYS[3], handle)
  call('ZREM', KEYS[1], handle)
  call('ZREM', KEYS[2], handle)
  gone[#gone + 1] = handle
end
for _, handle in ipairs(call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[5], 'LIMIT', 0, 1000)) do drop(handle) end
while total > tonumber(ARGV[6]) do
  local oldest = call('ZRANGE', KEYS[1], 0, 0)[1]
  if not oldest then break end
  drop(oldest)
end
call('ZADD', KEYS[1], ARGV[3], ARGV[1])
call('ZADD', KEYS[2], ARGV[4], ARGV[1])
call('HSET', KEYS[3], ARGV[1], ARGV[2], '', string.format('%.0f', total))
return {'ok', gone}
