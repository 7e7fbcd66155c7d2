-- The greatest operation id among those stored as text (every text sorts before every blob).
-- Parameters: none. Rows: one or none: operation_id. Locks: shared.
SELECT operation_id FROM journal
WHERE operation_id IS NOT NULL AND operation_id < x''
ORDER BY operation_id DESC LIMIT 1;
