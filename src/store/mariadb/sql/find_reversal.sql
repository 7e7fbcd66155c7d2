-- Who reversed an operation.
-- Parameters: 1 operation id (text). Rows: one or none: reversed_by. Locks: none.
SELECT reversed_by FROM mizan_reversals WHERE operation = ?;
