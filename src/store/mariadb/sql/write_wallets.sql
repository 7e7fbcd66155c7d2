-- Writes wallets, each only while its revision is the one that was read. The rows are there: what
-- is said behind ON DUPLICATE KEY happens to them, for all rows of a batch in half the time that as
-- many updates take. A row that is not as demanded gets a status that no wallet may have, and the
-- statement fails (error 4025); that is judged first, while the row is as it was. Where a row is
-- missing one is inserted, and the count gives it away. Balance and version before are what the
-- wallet's first new entry continues: that they are not what is stored, although the revision is,
-- is a bug of whoever made the plan.
-- Parameters, many rows at once: 1 number, 2 balance, 3 held, 4 min_balance or NULL, 5 status,
--   6 version, 7 revision after, 8 head, 9 block, 10 last_entry_at or NULL, 11 revision before,
--   12 balance before, 13 version before.
-- Rows: none; must count two for each that was given. Locks: the rows, in the order given.
INSERT INTO mizan_wallets (
  number, balance, held, min_balance, status, version, revision, head, block, last_entry_at,
  created_at, exponent, currency, id
) VALUES (
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '', '@'
)
ON DUPLICATE KEY UPDATE
  status = IF(revision = ? AND balance = ? AND version = ?, VALUES(status), -1),
  balance = VALUES(balance),
  held = VALUES(held),
  min_balance = VALUES(min_balance),
  version = VALUES(version),
  revision = VALUES(revision),
  head = VALUES(head),
  block = VALUES(block),
  last_entry_at = VALUES(last_entry_at);
