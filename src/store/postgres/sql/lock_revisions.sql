-- Locks the wallets of a plan, in order of number, and says what they are now.
-- Parameters: 1 numbers (array). Rows: number, revision. Locks: the rows, but not their keys.
SELECT number, revision
FROM mizan.wallets
WHERE number = ANY ($1::bigint[])
ORDER BY number
FOR NO KEY UPDATE;
