-- As write_balances, for wallets of which anything may change.
-- Parameters: 1 number of rows; arrays of that length: 2 number, 3 balance, 4 held, 5 min_balance
--   or NULL, 6 status, 7 version, 8 revision after, 9 head, 10 block, 11 last_entry_at or NULL, 12
--   revision before, 13 balance before, 14 version before.
-- Rows: one; an error (22012) where not each of them was written. Locks: the rows, but not their
--   keys.
WITH done AS (
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
  FROM (
    SELECT
      unnest($2::bigint[]) AS number, unnest($3::bigint[]) AS balance, unnest($4::bigint[]) AS held,
      unnest($5::bigint[]) AS min_balance, unnest($6::smallint[]) AS status,
      unnest($7::bigint[]) AS version, unnest($8::bigint[]) AS revision,
      unnest($9::bigint[]) AS head, unnest($10::bigint[]) AS block,
      unnest($11::timestamptz[]) AS last_entry_at, unnest($12::bigint[]) AS revision_before,
      unnest($13::bigint[]) AS balance_before, unnest($14::bigint[]) AS version_before
  ) AS written
  WHERE wallets.number = written.number
    AND wallets.revision = written.revision_before
    AND wallets.balance = written.balance_before
    AND wallets.version = written.version_before
  RETURNING 1
)
SELECT 1 / (count(*) = $1::bigint)::integer FROM done;
