-- Writes wallets, each only while its revision is the one that was read. Balance and version before
-- are what the wallet's first new entry continues: that they are not what is stored, although the
-- revision is, is a bug of whoever made the plan.
-- Parameters, arrays of one length: 1 number, 2 balance, 3 held, 4 min_balance or NULL, 5 status,
--   6 version, 7 revision after, 8 head, 9 block, 10 last_entry_at or NULL, 11 revision before,
--   12 balance before, 13 version before.
-- Rows: none; must change as many as the arrays have. Locks: the rows, but not their keys.
UPDATE mizan.wallets SET
  balance = written.balance,
  held = written.held,
  min_balance = written.min_balance,
  status = written.status,
  version = written.version,
  revision = written.revision,
  head = written.head,
  block = written.block,
  last_entry_at = written.last_entry_at
FROM unnest(
  $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[],
  $7::bigint[], $8::bigint[], $9::bigint[], $10::timestamptz[], $11::bigint[], $12::bigint[],
  $13::bigint[]
) AS written (
  number, balance, held, min_balance, status, version, revision, head, block, last_entry_at,
  revision_before, balance_before, version_before
)
WHERE wallets.number = written.number
  AND wallets.revision = written.revision_before
  AND wallets.balance = written.balance_before
  AND wallets.version = written.version_before;
