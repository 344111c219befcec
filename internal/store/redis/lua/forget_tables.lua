-- KEYS: an owner's tables by end, and their sizes. ARGV: now (0: not asked for), handles... Takes handles out of the count, and what
-- has ended by now, and names all that are known.
local total = tonumber(call('HGET', KEYS[2], '') or 0)
local gone, set = {}, {}
local function drop(handle)
  local size = call('HGET', KEYS[2], handle)
  if not size then return end
  total = total - size
  gone[#gone + 1] = handle
  set[#set + 1], set[#set + 2] = handle, 0
end
for i = 2, #ARGV do drop(ARGV[i]) end
if ARGV[1] ~= '0' then
  for _, handle in ipairs(call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1000)) do drop(handle) end
end
if #set > 0 then
  set[#set + 1], set[#set + 2] = '', string.format('%.0f', total)
  call('HSET', KEYS[2], unpack(set))
end
return {'ok', gone}
