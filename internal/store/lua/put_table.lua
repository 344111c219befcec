-- KEYS: table. ARGV: token, owner, session, run, meta, content, ends and now in microseconds
local v = call('HMGET', KEYS[1], 'token', 'ends', 'owner')
if v[1] == ARGV[1] then return {'ok'} end
if v[1] then return {'taken', v[3]} end
call('HSET', KEYS[1], 'token', ARGV[1], 'owner', ARGV[2], 'session', ARGV[3], 'run', ARGV[4], 'meta', ARGV[5], 'content', ARGV[6], 'ends', ARGV[7])
call('PEXPIRE', KEYS[1], math.max(1, math.ceil((ARGV[7] - ARGV[8]) / 1000)))
return {'ok'}
