-- KEYS: session. ARGV: token, owner, title, at
local v = call('HMGET', KEYS[1], 'token', 'owner')
if v[1] then
  if v[1] == ARGV[1] then return {'ok'} end
  return {'taken', v[2]}
end
call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'title', ARGV[3], 'created', ARGV[4])
return {'ok'}
