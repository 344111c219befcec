-- KEYS: run, events, calls. ARGV: owner, session. Another's run stays.
local v = call('HMGET', KEYS[1], 'owner', 'session')
if v[1] == ARGV[1] and v[2] == ARGV[2] then call('UNLINK', KEYS[1], KEYS[2], KEYS[3]) end
return {'ok'}
