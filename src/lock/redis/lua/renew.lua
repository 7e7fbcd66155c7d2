-- Extends a lease that its owner still holds; never creates one. A lease of another epoch or
-- incarnation is not extended: nobody can say that it was held without a gap.
-- KEYS: 1 lease, 2 the bucket's counter. ARGV: 1 owner, 2 time to live (ms).
-- Answers: 1 extended, 0 nobody's (any more), -1 somebody else's, -2 of another epoch,
--          -3 of another incarnation.
local lease = redis.call('GET', KEYS[1])
if not lease then
  return 0
end
local granted_epoch, holder = string.match(lease, '^(%d+) %d+ (.+)$')
if holder ~= ARGV[1] then
  return -1
end
local counter = redis.call('HMGET', KEYS[2], 'epoch', 'incarnation')
local incarnation = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
if counter[2] ~= incarnation then
  return -3
end
if counter[1] ~= granted_epoch then
  return -2
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
