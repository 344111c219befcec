-- KEYS: run. ARGV: epoch, lease in ms; 0 gives it up
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
if not v[1] then return {'missing'} end
if is(v[2]) then return {'finished'} end
if v[1] ~= ARGV[1] then return {'fenced', tonumber(v[1])} end
if ARGV[2] == '0' then
  call('HSET', KEYS[1], 'until', 0)
else
  call('HSET', KEYS[1], 'until', now() + ARGV[2])
end
return {'ok'}
