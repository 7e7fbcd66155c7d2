-- For how long a lease is held that was not given back.
-- Parameters: 1 resource. Rows: one or none: microseconds. Locks: shared.
SELECT (extract(epoch FROM expires_at - clock_timestamp()) * 1000000)::bigint
FROM mizan.leases
WHERE resource = $1::text AND owner IS NOT NULL;
