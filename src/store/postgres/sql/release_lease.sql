-- Gives a lease back where its owner still holds it; changes one row or none. The token stays.
-- Parameters: 1 resource, 2 owner. Rows: none. Locks: the row.
UPDATE mizan.leases SET owner = NULL
WHERE resource = $1::text AND owner = $2::text AND expires_at > clock_timestamp();
