-- KEYS: run. ARGV: token, owner, session, process, request, started, lease in ms, state, digest ("" is none)
local t = call('HGET', KEYS[1], 'token')
if t then
  if t == ARGV[1] then return {'ok'} end
  return {'taken'}
end
local fields = {'token', ARGV[1], 'owner', ARGV[2], 'session', ARGV[3], 'process', ARGV[4], 'request', ARGV[5],
  'started', ARGV[6], 'status', 'running', 'epoch', 1, 'until', now() + ARGV[7]}
if ARGV[8] ~= '' then
  fields[#fields + 1] = 'state'
  fields[#fields + 1] = ARGV[8]
end
if ARGV[9] ~= '' then
  fields[#fields + 1] = 'digest'
  fields[#fields + 1] = ARGV[9]
end
call('HSET', KEYS[1], unpack(fields)) -- one command: see TestIntegrationStoreRedis
return {'ok'}
