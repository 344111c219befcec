-- KEYS: run, calls. ARGV: epoch, step, record
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
if call('HEXISTS', KEYS[2], 'b' .. ARGV[2]) == 0 then return {'no call'} end
call('HSET', KEYS[2], 'e' .. ARGV[2], ARGV[3])
return {'ok'}
