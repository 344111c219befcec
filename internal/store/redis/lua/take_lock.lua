-- KEYS: a lock. ARGV: token, life in ms. Takes it unless it is another's; who has it gets it anew. Its end stands in it: the server would delete
-- what has expired beside the write, which makes two commands.
local v = call('HMGET', KEYS[1], 'token', 'until')
local t = now()
if v[1] and v[1] ~= ARGV[1] and tonumber(v[2]) > t then return {'taken'} end
call('HSET', KEYS[1], 'token', ARGV[1], 'until', t + ARGV[2])
return {'ok'}
