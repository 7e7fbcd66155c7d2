-- The legs of an operation, and maybe rows of the operation after it, which have an id.
-- Parameters: 1 sequence of its first row, 2 sequence that the rows are below.
-- Rows: is the first row of an operation, from id or NULL for @world, to id or NULL, currency,
--       amount, from_balance, from_version, to_balance, to_version. Locks: none.
SELECT
  journal.operation_id IS NOT NULL,
  sources.id,
  targets.id,
  COALESCE(sources.currency, targets.currency),
  journal.amount,
  journal.from_balance,
  journal.from_version,
  journal.to_balance,
  journal.to_version
FROM mizan_journal AS journal
LEFT JOIN mizan_wallets AS sources ON sources.number = journal.from_wallet
LEFT JOIN mizan_wallets AS targets ON targets.number = journal.to_wallet
WHERE journal.sequence >= ? AND journal.sequence < ?
ORDER BY journal.sequence;
