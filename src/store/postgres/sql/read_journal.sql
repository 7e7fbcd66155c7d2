-- Legs in order of sequence.
-- Parameters: 1 sequence after which to begin, 2 number of rows.
-- Rows: sequence, operation_id (NULL: the operation of the row before), type, at, from_wallet,
--       to_wallet, amount, from_balance, from_version, to_balance, to_version (0 for @world),
--       from_previous, from_jump, to_previous, to_jump, metadata or NULL. Locks: shared.
SELECT
  sequence, operation_id, type, at, from_wallet, to_wallet, amount, coalesce(from_balance, 0),
  coalesce(from_version, 0), coalesce(to_balance, 0), coalesce(to_version, 0),
  coalesce(from_previous, 0), coalesce(from_jump, 0), coalesce(to_previous, 0),
  coalesce(to_jump, 0), metadata
FROM mizan.journal
WHERE sequence > $1::bigint AND amount IS NOT NULL
ORDER BY sequence
LIMIT $2::bigint;
