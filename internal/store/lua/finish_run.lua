-- KEYS: run. ARGV: epoch, token, status, response, ended
local v = call('HMGET', KEYS[1], 'epoch', 'ended', 'end_token')
if not v[1] then return {'missing'} end
if is(v[2]) then
  if v[3] == ARGV[2] then return {'ok'} end
  return {'finished'}
end
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
call('HSET', KEYS[1], 'status', ARGV[3], 'response', ARGV[4], 'ended', ARGV[5], 'end_token', ARGV[2])
return {'ok'}
