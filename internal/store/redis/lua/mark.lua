-- KEYS: index of leases. ARGV: lease in ms, run. When a lease may have run out; the run itself says whether it has.
call('ZADD', KEYS[1], now() + ARGV[1], ARGV[2])
return {'ok'}
