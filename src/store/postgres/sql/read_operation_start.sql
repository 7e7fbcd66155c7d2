-- The first row of the operation that a journal row belongs to.
-- Parameters: 1 sequence. Rows: one or none: operation_id, metadata or NULL. Locks: shared.
SELECT operation_id, metadata
FROM mizan.journal
WHERE sequence <= $1::bigint AND operation_id IS NOT NULL
ORDER BY sequence DESC
LIMIT 1;
