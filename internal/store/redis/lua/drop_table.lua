-- KEYS: table. ARGV: owner
local owner = call('HGET', KEYS[1], 'owner')
if owner ~= ARGV[1] then return {'missing'} end
call('UNLINK', KEYS[1])
return {'ok'}
