-- Extends a lease that its owner still holds; changes one row or none.
-- Parameters: 1 resource, 2 owner, 3 now, 4 expires_at (microseconds). Rows: none. Locks: write.
UPDATE leases SET expires_at = ?4 WHERE resource = ?1 AND owner = ?2 AND expires_at > ?3;
