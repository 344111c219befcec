-- KEYS: a lock. ARGV: token. Gives it up, unless it is another's by now.
if call('HGET', KEYS[1], 'token') == ARGV[1] then call('UNLINK', KEYS[1]) end
return {'ok'}
