-- KEYS: session, turns. ARGV: owner, token, turn, at, run, epoch. Turn i is the field t and i; r and the run's id says which is its last,
-- and by which epoch it was written.
local v = call('HMGET', KEYS[1], 'owner', 'gone')
if v[1] ~= ARGV[1] or v[2] then return {'missing'} end
local w = call('HMGET', KEYS[2], 'ring', 'n', 'updated', 'r' .. ARGV[5])
if done(w[1], ARGV[2]) then return {'ok'} end
local no = late(w[4], ARGV[6])
if no then return no end
local n, updated = (w[2] or 0) + 1, ARGV[4]
if w[3] and tonumber(w[3]) > tonumber(updated) then updated = w[3] end
call('HSET', KEYS[2], 't' .. n, ARGV[3], 'n', n, 'updated', updated, 'ring', remember(w[1], ARGV[2]), 'r' .. ARGV[5], n .. ' ' .. ARGV[6])
return {'ok'}
