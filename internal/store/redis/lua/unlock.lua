-- KEYS: a lock. ARGV: token. Whose lock ran out may find that of another.
if call('GET', KEYS[1]) == ARGV[1] then call('DEL', KEYS[1]) end
return {'ok'}
