-- KEYS: index of leases. ARGV: limit
return call('ZRANGEBYSCORE', KEYS[1], '-inf', now(), 'LIMIT', 0, ARGV[1])
