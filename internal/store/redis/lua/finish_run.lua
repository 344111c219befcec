-- KEYS: run, events. ARGV: epoch, token, status, response, ended, token of the write that the log ends with ("" is any)
local v = call('HMGET', KEYS[1], 'epoch', 'ended', 'end_token')
if not v[1] then return {'missing'} end
if is(v[2]) then
  if v[3] == ARGV[2] then return {'ok'} end
  return {'finished'}
end
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
if ARGV[6] ~= '' then
  local last = call('LINDEX', KEYS[2], -1)
  if not last or string.sub(last, 1, 8) ~= ARGV[6] then return {'sequence', call('LLEN', KEYS[2])} end
end
call('HSET', KEYS[1], 'status', ARGV[3], 'response', ARGV[4], 'ended', ARGV[5], 'end_token', ARGV[2])
return {'ok'}
