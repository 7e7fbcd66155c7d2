-- Moves the beginnings of wallets' chains of entries, where deltas have changed the rest before.
-- Parameters: 1 number of rows; arrays of that length: 2 number, 3 head, 4 block, 5 last_entry_at
--   or NULL, 6 version and 7 balance that the row must have.
-- Rows: one; an error (22012) where not each of them was written. Locks: the rows, but not their
--   keys.
WITH done AS (
  UPDATE mizan.wallets SET
    head = written.head,
    block = written.block,
    last_entry_at = written.last_entry_at
  FROM (
    SELECT
      unnest($2::bigint[]) AS number, unnest($3::bigint[]) AS head, unnest($4::bigint[]) AS block,
      unnest($5::timestamptz[]) AS last_entry_at, unnest($6::bigint[]) AS version,
      unnest($7::bigint[]) AS balance
  ) AS written
  WHERE wallets.number = written.number
    AND wallets.version = written.version
    AND wallets.balance = written.balance
  RETURNING 1
)
SELECT 1 / (count(*) = $1::bigint)::integer FROM done;
