-- Put before every script. Scripts answer with an array: a word that says how it went, then what belongs to it. A key is named by
-- KEYS alone, and all keys of a script have one hash tag. Times are the server's own, in milliseconds.
--
-- A script writes by one command at most. The server puts several into its append-only file between MULTI and EXEC, and what a crash
-- leaves of such a block harms what is written behind it: see docs/adr/0014-redis-store.md.
local call = redis.call

local function now()
  local t = call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- is reports whether a field has a value: what was taken back is empty.
local function is(field)
  return field and field ~= ''
end

-- fence is nil when a write that carries an epoch may go on: the owner of an open run may write, and anybody who never owned it to a
-- finished one. A run without a record (a direct call) has no owner.
local function fence(epoch, ended, carried)
  ended = is(ended)
  if not epoch then
    if carried > 0 then return {'missing'} end
    return nil
  end
  if tonumber(epoch) == carried or (carried == 0 and ended) then return nil end
  return {'fenced', tonumber(epoch)}
end

-- The last 16 turns of a session are remembered by tokens of 8 bytes, so that one whose answer was lost is not done twice.
local function done(ring, token)
  if not ring then return false end
  for i = 1, #ring, 8 do
    if string.sub(ring, i, i + 7) == token then return true end
  end
  return false
end

local function remember(ring, token)
  return string.sub((ring or '') .. token, -128)
end

-- late refuses the turn of a run's former owner. place is what stands in the session for the run: where, and by which epoch.
local function late(place, carried)
  local epoch = place and tonumber(string.match(place, '%d+$'))
  if epoch and tonumber(carried) > 0 and tonumber(carried) < epoch then return {'fenced', epoch} end
  return nil
end
