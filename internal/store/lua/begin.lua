-- KEYS: run, calls. ARGV: epoch, step, record with a token, for how long to keep a direct call in ms
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
if call('HGET', KEYS[2], 'b' .. ARGV[2]) == ARGV[3] then return {'ok'} end
call('HSET', KEYS[2], 'b' .. ARGV[2], ARGV[3])
call('HDEL', KEYS[2], 'e' .. ARGV[2])
call('HINCRBY', KEYS[2], 'n' .. ARGV[2], 1)
if ARGV[4] ~= '0' then call('PEXPIRE', KEYS[2], ARGV[4]) end
return {'ok'}
