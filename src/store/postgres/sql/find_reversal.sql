-- Who reversed an operation.
-- Parameters: 1 operation id (text). Rows: one or none: reversed_by. Locks: shared.
SELECT reversed_by FROM mizan.reversals WHERE operation = $1::text;
