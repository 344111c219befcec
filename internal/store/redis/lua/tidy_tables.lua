-- KEYS: the sizes of an owner's tables. Removes the count of none.
if call('HLEN', KEYS[1]) == 1 and call('HGET', KEYS[1], '') == '0' then call('UNLINK', KEYS[1]) end
return {'ok'}
