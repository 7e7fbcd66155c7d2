-- Open holds whose deadline has passed, oldest deadline first.
-- Parameters: 1 now, 2 number of rows.
-- Rows: id, wallet, to_wallet, amount, captured, status, expires_at, created_at. Locks: none.
SELECT id, wallet, to_wallet, amount, captured, status, expires_at, created_at
FROM mizan_holds
WHERE status = 0 AND expires_at IS NOT NULL AND expires_at <= ?
ORDER BY expires_at, id
LIMIT ?;
