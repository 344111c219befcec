-- KEYS: a bucket. ARGV: time between requests and time that may be ahead, in microseconds. The generic cell rate algorithm: the key
-- holds the theoretical arrival time of the next request. Answers with how far that is ahead.
local t = call('TIME')
local now = t[1] * 1000000 + t[2]
local at = math.max(tonumber(call('GET', KEYS[1]) or 0), now)
if at + ARGV[1] - now > tonumber(ARGV[2]) then return {'wait', at - now} end
call('SET', KEYS[1], string.format('%.0f', at + ARGV[1]), 'PX', math.ceil((at + ARGV[1] - now) / 1000))
return {'ok', at + ARGV[1] - now}
