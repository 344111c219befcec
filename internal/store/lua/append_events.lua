-- KEYS: run, events. ARGV: epoch, token, number of the first event, events...
local v = call('HMGET', KEYS[1], 'epoch', 'ended', 'ring')
if not v[1] then return {'missing'} end
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
local last = call('LLEN', KEYS[2])
if tonumber(ARGV[3]) ~= last + 1 then
  if done(v[3], ARGV[2]) then return {'ok'} end
  return {'sequence', last}
end
for i = 4, #ARGV, 1000 do
  call('RPUSH', KEYS[2], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
call('HSET', KEYS[1], 'ring', remember(v[3], ARGV[2]))
return {'ok'}
