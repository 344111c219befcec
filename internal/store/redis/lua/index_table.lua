-- KEYS: an index of tables. ARGV: handle, score
call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
return {'ok'}
