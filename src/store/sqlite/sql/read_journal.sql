-- Legs in commit order.
-- Parameters: 1 sequence after which to begin, 2 number of rows.
-- Rows: sequence, operation_id (NULL: the operation of the row before), type, at (microseconds),
--       from_wallet, to_wallet, amount, from_balance, from_version, to_balance, to_version, links,
--       metadata or NULL.
-- Locks: shared.
SELECT
  sequence, operation_id, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links, metadata
FROM journal
WHERE sequence > ?1 AND amount IS NOT NULL
ORDER BY sequence
LIMIT ?2;
