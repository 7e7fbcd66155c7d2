-- Gives a lease back where its owner still holds it; changes one row or none. The token stays.
-- Parameters: 1 resource, 2 owner, 3 now (microseconds). Rows: none. Locks: write.
UPDATE leases SET owner = NULL WHERE resource = ?1 AND owner = ?2 AND expires_at > ?3;
