-- When a lease ends that was not given back.
-- Parameters: 1 resource. Rows: one or none: expires_at (microseconds). Locks: shared.
SELECT expires_at FROM leases WHERE resource = ?1 AND owner IS NOT NULL;
