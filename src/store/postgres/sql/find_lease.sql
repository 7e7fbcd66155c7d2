-- For how long a lease is held that was not given back, and the greatest token that was granted or
-- applied for its resource.
-- Parameters: 1 resource. Rows: one or none: microseconds, token. Locks: shared.
SELECT
  (extract(epoch FROM expires_at - clock_timestamp()) * 1000000)::bigint,
  greatest(token, (SELECT token FROM mizan.fences WHERE resource = $1::text))
FROM mizan.leases
WHERE resource = $1::text AND owner IS NOT NULL;
