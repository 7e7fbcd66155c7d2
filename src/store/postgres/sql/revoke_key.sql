-- Ends a key.
-- Parameters: 1 id, 2 revoked_at. Rows: one: id; none where there is no such key, or it has ended
-- before. Locks: the row.
UPDATE mizan.keys SET revoked_at = $2::timestamptz
WHERE id = $1::text AND revoked_at IS NULL
RETURNING id;
