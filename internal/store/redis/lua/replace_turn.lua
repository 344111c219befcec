-- KEYS: session, turns. ARGV: owner, turn, run, epoch. Answers with how many were replaced.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
local was = call('HGET', KEYS[2], 'r' .. ARGV[3])
if not was then return {'ok', 0} end
local no = late(was, ARGV[4])
if no then return no end
local n = string.match(was, '^%d+')
call('HSET', KEYS[2], 't' .. n, ARGV[2], 'r' .. ARGV[3], n .. ' ' .. ARGV[4])
return {'ok', 1}
