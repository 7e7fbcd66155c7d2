-- The first rows of applied operations in order of sequence, which is commit order.
-- Parameters: 1 sequence after which to begin, 2 number of rows.
-- Rows: sequence, operation_id. Locks: shared.
SELECT sequence, operation_id
FROM journal
WHERE sequence > ?1 AND operation_id IS NOT NULL AND refusal IS NULL
ORDER BY sequence
LIMIT ?2;
