-- Installs an epoch that was drawn while the marker stood; its sequence begins anew. Whoever comes
-- late, after another one or after another loss of data, finds no such marker and changes nothing.
-- KEYS: 1 the bucket's counter. ARGV: 1 epoch, 2 marker. Answers: 1 installed, 0 not.
local counter = redis.call('HMGET', KEYS[1], 'epoch', 'marker')
local incarnation = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local place = '@' .. incarnation
if counter[2] ~= ARGV[2] or string.sub(ARGV[2], -#place) ~= place then
  return 0
end
if counter[1] and tonumber(counter[1]) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'sequence', '0', 'incarnation', incarnation)
redis.call('HDEL', KEYS[1], 'marker')
return 1
