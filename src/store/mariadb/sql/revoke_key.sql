-- Ends a key. Changes no row where there is none, or it has ended before.
-- Parameters: 1 revoked_at in microseconds, 2 id. Rows: none. Locks: the row.
UPDATE mizan_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL;
