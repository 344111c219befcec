-- KEYS: a lock. ARGV: token, life in ms. Takes it unless it is another's; who has it gets it anew.
local holder = call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {'taken'} end
call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'ok'}
