-- The legs of an operation, and maybe rows of the operation after it, which have an id.
-- Parameters: 1 sequence of its first row, 2 number of rows.
-- Rows: is the first row of an operation, from id or NULL for @world, to id or NULL, currency,
--       amount, from_balance, from_version, to_balance, to_version. Locks: shared.
SELECT
  journal.operation_id IS NOT NULL,
  sources.id,
  targets.id,
  coalesce(sources.currency, targets.currency),
  journal.amount,
  journal.from_balance,
  journal.from_version,
  journal.to_balance,
  journal.to_version
FROM (
  SELECT * FROM mizan.journal
  WHERE sequence >= $1::bigint AND sequence < $1::bigint + $2::bigint
  ORDER BY sequence
) AS journal
LEFT JOIN mizan.wallets AS sources ON sources.number = journal.from_wallet
LEFT JOIN mizan.wallets AS targets ON targets.number = journal.to_wallet
ORDER BY journal.sequence;
