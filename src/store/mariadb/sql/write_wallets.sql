-- Writes wallets, each only while its revision is the one that was read. Balance and version before
-- are what the wallet's first new entry continues: that they are not what is stored, although the
-- revision is, is a bug of whoever made the plan.
-- Parameters, many rows at once: 1 balance, 2 held, 3 min_balance or NULL, 4 status, 5 version,
--   6 revision after, 7 head, 8 block, 9 last_entry_at or NULL, 10 number, 11 revision before,
--   12 balance before, 13 version before.
-- Rows: none; must change as many as were given. Locks: the rows.
UPDATE mizan_wallets SET
  balance = ?, held = ?, min_balance = ?, status = ?, version = ?, revision = ?, head = ?,
  block = ?, last_entry_at = ?
WHERE number = ? AND revision = ? AND balance = ? AND version = ?;
