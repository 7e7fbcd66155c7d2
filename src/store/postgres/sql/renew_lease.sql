-- Extends a lease that its owner still holds; changes one row or none.
-- Parameters: 1 resource, 2 owner, 3 microseconds that it lasts. Rows: none. Locks: the row.
UPDATE mizan.leases SET expires_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
WHERE resource = $1::text AND owner = $2::text AND expires_at > clock_timestamp();
