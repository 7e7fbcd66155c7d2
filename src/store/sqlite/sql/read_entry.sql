-- One journal row, for walking along a wallet's chain of entries.
-- Parameters: 1 sequence.
-- Rows: one or none: from_wallet, to_wallet, amount, from_balance, from_version, to_balance,
--       to_version, links, at (microseconds), type. Locks: shared.
SELECT
  from_wallet, to_wallet, amount, from_balance, from_version, to_balance, to_version, links, at,
  type
FROM journal
WHERE sequence = ?1;
