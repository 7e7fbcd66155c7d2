-- Ends a key. Changes no row where there is none, or it has ended before.
-- Parameters: 1 id, 2 revoked_at in microseconds. Rows: none. Locks: write.
UPDATE keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL;
