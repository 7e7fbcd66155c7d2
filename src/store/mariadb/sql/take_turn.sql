-- Takes the turn to migrate where nobody has it any more. Named locks are a node's own; this row is
-- the cluster's, and of two nodes that take it at once one fails at COMMIT.
-- Parameters: 1 owner, 2 microseconds that it lasts.
-- Rows: none; changes one row or none. Locks: the row.
UPDATE mizan_schema_turns
SET owner = ?, ends_at = CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) + ?
WHERE id = 1 AND ends_at <= CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED);
