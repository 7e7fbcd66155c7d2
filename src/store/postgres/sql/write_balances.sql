-- Writes wallets of which nothing but the balance changes and what goes with it, each only while
-- its revision is the one that was read. Balance and version before are what the wallet's first new
-- entry continues: that they are not what is stored, although the revision is, is a bug of whoever
-- made the plan. The arrays are in order of number, which is the order of the locks.
-- Parameters: 1 number of rows; arrays of that length: 2 number, 3 balance, 4 version, 5 head, 6
--   block, 7 revision before, 8 balance before, 9 version before; 10 last_entry_at, empty where all
--   rows have the same: 11 that time.
-- Rows: one; an error (22012) where not each of them was written. Locks: the rows, but not their
--   keys.
WITH done AS (
  UPDATE mizan.wallets SET
    balance = written.balance,
    version = written.version,
    revision = written.revision_before + 1,
    head = written.head,
    block = written.block,
    last_entry_at = coalesce(written.last_entry_at, $11::timestamptz)
  FROM (
    SELECT
      unnest($2::bigint[]) AS number, unnest($3::bigint[]) AS balance,
      unnest($4::bigint[]) AS version, unnest($5::bigint[]) AS head, unnest($6::bigint[]) AS block,
      unnest($7::bigint[]) AS revision_before, unnest($8::bigint[]) AS balance_before,
      unnest($9::bigint[]) AS version_before, unnest($10::timestamptz[]) AS last_entry_at
  ) AS written
  WHERE wallets.number = written.number
    AND wallets.revision = written.revision_before
    AND wallets.balance = written.balance_before
    AND wallets.version = written.version_before
  RETURNING 1
)
SELECT 1 / (count(*) = $1::bigint)::integer FROM done;
