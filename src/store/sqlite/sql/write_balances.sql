-- Writes the batch's balances, each only while what is stored is what it was made from: the
-- revision that was read guards against other writers; balance and version, which the wallet's
-- first new entry continues, against a bug of whoever made the plan. The rows are there: an upsert
-- is how SQLite updates many rows from a list fastest. The caller checks that as many rows passed
-- is_continued as the batch has, which it asks only where a row is there.
-- Parameters: none (the rows are those of batch_balances).
-- Rows: none; must change as many as the batch has. Locks: write.
INSERT INTO balances (
  wallet, balance, held, min_balance, status, version, revision, head, block
)
SELECT wallet, balance, held, min_balance, status, version, revision, head, block
FROM batch_balances
WHERE true
ON CONFLICT (wallet) DO UPDATE SET
  balance = excluded.balance,
  held = excluded.held,
  min_balance = excluded.min_balance,
  status = excluded.status,
  version = excluded.version,
  revision = excluded.revision,
  head = excluded.head,
  block = excluded.block
WHERE is_continued(wallet, revision, balance, version);
