-- Those of the operations that were reversed.
-- Parameters: 1 operation ids (list). Rows: operation, reversed_by. Locks: none.
SELECT STRAIGHT_JOIN reversals.operation, reversals.reversed_by
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (
    position FOR ORDINALITY,
    id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$'
  )
) AS asked
JOIN mizan_reversals AS reversals ON reversals.operation = asked.id;
