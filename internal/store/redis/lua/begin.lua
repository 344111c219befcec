-- KEYS: run, calls. ARGV: epoch, step, record with a token
local v = call('HMGET', KEYS[1], 'epoch', 'ended')
local no = fence(v[1], v[2], tonumber(ARGV[1]))
if no then return no end
local w = call('HMGET', KEYS[2], 'b' .. ARGV[2], 'n' .. ARGV[2])
if w[1] == ARGV[3] then return {'ok'} end
call('HSET', KEYS[2], 'b' .. ARGV[2], ARGV[3], 'e' .. ARGV[2], '', 'n' .. ARGV[2], (w[2] or 0) + 1)
return {'ok'}
