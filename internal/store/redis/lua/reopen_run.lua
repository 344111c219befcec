-- KEYS: run, events. ARGV: process, token, owner, status, last event, lease in ms
local v = call('HMGET', KEYS[1], 'epoch', 'owner', 'status', 'ended', 'lease_token')
if v[2] ~= ARGV[3] then return {'missing'} end
if v[5] == ARGV[2] then return {'ok', tonumber(v[1])} end
if not is(v[4]) or v[3] ~= ARGV[4] or call('LLEN', KEYS[2]) ~= tonumber(ARGV[5]) then return {'elsewhere'} end
call('HSET', KEYS[1], 'process', ARGV[1], 'lease_token', ARGV[2], 'status', 'running', 'epoch', v[1] + 1, 'until', now() + ARGV[6],
  'ended', '', 'end_token', '', 'response', '', 'cancelled', '')
return {'ok', v[1] + 1}
