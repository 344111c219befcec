-- KEYS: table. ARGV: token, owner, session, run, meta, content, end in microseconds
local v = call('HMGET', KEYS[1], 'token', 'owner')
if v[1] == ARGV[1] then return {'ok'} end
if v[1] then return {'taken', v[2]} end
call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'session', ARGV[3], 'run', ARGV[4], 'meta', ARGV[5], 'content', ARGV[6], 'ends', ARGV[7])
return {'ok'}
