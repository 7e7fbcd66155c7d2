-- Gives a lease back where the owner holds it, and wakes those who wait.
-- KEYS: 1 lease. ARGV: 1 owner, 2 channel, 3 resource. Answers: 1 released, 0 not this owner's.
local lease = redis.call('GET', KEYS[1])
if not lease or string.match(lease, '^%d+ %d+ (.+)$') ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
-- Who may not publish still releases: waiters ask again by themselves.
redis.pcall('PUBLISH', ARGV[2], ARGV[3])
return 1
