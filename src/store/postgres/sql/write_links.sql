-- Moves the beginnings of wallets' chains of entries, where deltas have changed the rest before.
-- Parameters, arrays of one length: 1 number, 2 head, 3 block, 4 last_entry_at or NULL, 5 version
--   and 6 balance that the row must have.
-- Rows: none; must change as many as the arrays have. Locks: the rows, but not their keys.
UPDATE mizan.wallets SET
  head = written.head,
  block = written.block,
  last_entry_at = written.last_entry_at
FROM unnest(
  $1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[]
) AS written (number, head, block, last_entry_at, version, balance)
WHERE wallets.number = written.number
  AND wallets.version = written.version
  AND wallets.balance = written.balance;
