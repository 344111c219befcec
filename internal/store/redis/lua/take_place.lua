-- KEYS: the runs of an owner under way. ARGV: run, limit, for how long it counts at most in ms
local t = now()
if call('ZSCORE', KEYS[1], ARGV[1]) then return {'ok'} end
if call('ZCOUNT', KEYS[1], t, '+inf') >= tonumber(ARGV[2]) then return {'full'} end
call('ZADD', KEYS[1], t + ARGV[3], ARGV[1])
return {'ok'}
