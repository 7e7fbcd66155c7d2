-- The greatest operation id among those stored as 16 bytes.
-- Parameters: none. Rows: one or none: operation_id. Locks: shared.
SELECT operation_id FROM journal
WHERE operation_id IS NOT NULL AND operation_id >= x''
ORDER BY operation_id DESC LIMIT 1;
