-- Writes one wallet, only while its revision is the one that was read; must change one row. Balance
-- and version before are what the wallet's first new entry continues: that they are not what is
-- stored, although the revision is, is a bug of whoever made the plan.
-- Parameters: 1 wallet number, 2 balance, 3 held, 4 min_balance or NULL, 5 status, 6 version,
--             7 revision after, 8 head, 9 block, 10 revision before, 11 balance before,
--             12 version before.
-- Rows: none. Locks: write.
UPDATE balances SET
  balance = ?2, held = ?3, min_balance = ?4, status = ?5, version = ?6, revision = ?7, head = ?8,
  block = ?9
WHERE wallet = ?1 AND revision = ?10 AND balance = ?11 AND version = ?12;
