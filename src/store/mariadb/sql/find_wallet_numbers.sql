-- The numbers of wallets, in order, so that they are locked in it.
-- Parameters: 1 ids (list). Rows: one for each that is there: number. Locks: none.
SELECT STRAIGHT_JOIN wallets.number
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (
    position FOR ORDINALITY,
    id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$'
  )
) AS asked
JOIN mizan_wallets AS wallets ON wallets.id = asked.id
ORDER BY wallets.number;
