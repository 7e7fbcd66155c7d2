-- What holds are now.
-- Parameters: 1 ids (list). Rows: id, captured, status. Locks: none.
SELECT STRAIGHT_JOIN holds.id, holds.captured, holds.status
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (
    position FOR ORDINALITY,
    id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$'
  )
) AS asked
JOIN mizan_holds AS holds ON holds.id = asked.id;
