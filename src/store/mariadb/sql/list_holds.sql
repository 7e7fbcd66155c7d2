-- Holds in order of id.
-- Parameters: 1 id after which to begin ('' for the first), 2 number of rows.
-- Rows: id, wallet, to_wallet, amount, captured, status, expires_at or NULL, created_at.
-- Locks: none.
SELECT id, wallet, to_wallet, amount, captured, status, expires_at, created_at
FROM mizan_holds
WHERE id > ?
ORDER BY id
LIMIT ?;
