-- Locks the wallets of a plan, in the order of the list, and says what they are now.
-- Parameters: 1 numbers, in order (list). Rows: number, revision. Locks: the rows.
SELECT STRAIGHT_JOIN wallets.number, wallets.revision
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, number BIGINT PATH '$')
) AS asked
JOIN mizan_wallets AS wallets ON wallets.number = asked.number
FOR UPDATE;
