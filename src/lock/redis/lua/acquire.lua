-- Grants a lease and mints its token, in one step. The same owner asking again gets the same token
-- and the whole time. A token is minted only where the bucket's counter is sound: it is there, of
-- this incarnation of the data, and not behind what the caller has seen. Otherwise nothing is
-- granted, and a marker is left: an epoch that is drawn now may be installed while it stands.
-- KEYS: 1 lease, 2 the bucket's counter.
-- ARGV: 1 owner, 2 time to live (ms), 3 epoch and 4 sequence that the caller has seen, 5 a nonce,
--       6 the greatest sequence.
-- Answers: {granted, epoch, sequence} | {held, remaining ms} | {epoch, the counter's or 0, marker}.
local counter = redis.call('HMGET', KEYS[2], 'epoch', 'sequence', 'incarnation', 'marker')
local incarnation = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local lease = redis.call('GET', KEYS[1])
local granted_epoch, granted_sequence, holder
if lease then
  granted_epoch, granted_sequence, holder = string.match(lease, '^(%d+) (%d+) (.+)$')
  if holder ~= ARGV[1] then
    return {'held', redis.call('PTTL', KEYS[1])}
  end
end

local epoch, sequence = tonumber(counter[1]), tonumber(counter[2])
local seen_epoch, seen_sequence = tonumber(ARGV[3]), tonumber(ARGV[4])
local sound = epoch and sequence and counter[3] == incarnation
  and (epoch > seen_epoch or (epoch == seen_epoch and sequence >= seen_sequence))
if sound and lease and granted_epoch == counter[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {'granted', granted_epoch, granted_sequence}
end
if not sound or sequence >= tonumber(ARGV[6]) then
  local marker, place = counter[4], '@' .. incarnation
  if not marker or string.sub(marker, -#place) ~= place then
    marker = ARGV[5] .. place
    redis.call('HSET', KEYS[2], 'marker', marker)
  end
  return {'epoch', counter[1] or '0', marker}
end

sequence = tostring(redis.call('HINCRBY', KEYS[2], 'sequence', 1))
redis.call('SET', KEYS[1], counter[1] .. ' ' .. sequence .. ' ' .. ARGV[1], 'PX', ARGV[2])
return {'granted', counter[1], sequence}
