-- The revisions of wallets, to see which are still those that were read.
-- Parameters: 1 numbers (list). Rows: number, revision. Locks: none.
SELECT STRAIGHT_JOIN wallets.number, wallets.revision
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, number BIGINT PATH '$')
) AS asked
JOIN mizan_wallets AS wallets ON wallets.number = asked.number;
