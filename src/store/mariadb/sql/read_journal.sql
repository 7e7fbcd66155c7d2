-- Legs in order of sequence.
-- Parameters: 1 sequence after which to begin, 2 number of rows.
-- Rows: sequence, operation_id (NULL: the operation of the row before), type, at, from_wallet,
--       to_wallet, amount, from_balance, from_version, to_balance, to_version (0 for @world),
--       from_previous, from_jump, to_previous, to_jump, metadata or NULL. Locks: none.
SELECT
  sequence, operation_id, type, at, from_wallet, to_wallet, amount, COALESCE(from_balance, 0),
  COALESCE(from_version, 0), COALESCE(to_balance, 0), COALESCE(to_version, 0),
  COALESCE(from_previous, 0), COALESCE(from_jump, 0), COALESCE(to_previous, 0),
  COALESCE(to_jump, 0), metadata
FROM mizan_journal
WHERE sequence > ? AND amount IS NOT NULL
ORDER BY sequence
LIMIT ?;
