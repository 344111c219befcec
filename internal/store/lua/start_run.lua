-- KEYS: run. ARGV: token, owner, session, process, request, started, lease in ms
local t = call('HGET', KEYS[1], 'token')
if t then
  if t == ARGV[1] then return {'ok'} end
  return {'taken'}
end
call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'session', ARGV[3], 'process', ARGV[4], 'request', ARGV[5],
  'started', ARGV[6], 'status', 'running', 'epoch', 1, 'until', now() + ARGV[7])
return {'ok'}
