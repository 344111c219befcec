-- KEYS: an owner's tables by age, by end, and their sizes. ARGV: handle, bytes, now in microseconds, limit. Counts a table that is in the
-- indexes, and names those that must go: what has ended, then the oldest, until all are within the limit. They count as nothing
-- from here on, and whoever asked takes them out.
local size = call('HGET', KEYS[3], ARGV[1])
if size and size ~= '0' then return {'known'} end
local total = tonumber(call('HGET', KEYS[3], '') or 0) + ARGV[2]
local gone, seen, set = {}, {[ARGV[1]] = true}, {ARGV[1], ARGV[2]}
local function drop(handle)
  if seen[handle] then return end
  seen[handle] = true
  total = total - (call('HGET', KEYS[3], handle) or 0)
  gone[#gone + 1] = handle
  set[#set + 1], set[#set + 2] = handle, 0
end
for _, handle in ipairs(call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[3], 'LIMIT', 0, 1000)) do drop(handle) end
for i = 0, 1999 do
  if total <= tonumber(ARGV[4]) then break end
  local oldest = call('ZRANGE', KEYS[1], i, i)[1]
  if not oldest then break end
  drop(oldest)
end
set[#set + 1], set[#set + 2] = '', string.format('%.0f', total)
call('HSET', KEYS[3], unpack(set))
return {'ok', gone}
