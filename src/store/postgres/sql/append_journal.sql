-- Appends rows to the journal, which follow each other, and tells the outbox of them; a unique
-- violation where an operation id is recorded. To be run while all that it is about is locked.
-- Parameters: 1 the first row's sequence, the others follow; 2 number of rows; arrays of that
--   length: 3 operation_id, 4 fingerprint, 5 from_wallet, 6 to_wallet, 7 amount, 8 from_balance, 9
--   from_version, 10 to_balance, 11 to_version, 12 from_previous, 13 from_jump, 14 to_previous, 15
--   to_jump; 16 type and 17 at, empty where all rows have the same: 18 that type, 19 that time.
-- Rows: one: of no interest, the number for a transaction to come; an error (22012) where not each
--   of them was inserted. Locks: the ids, until the transaction ends.
WITH told AS (
  INSERT INTO mizan.outbox (first_sequence, row_count) VALUES ($1::bigint, $2::bigint)
), recorded AS (
  INSERT INTO mizan.journal (
    sequence, operation_id, fingerprint, from_wallet, to_wallet, amount, from_balance,
    from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump, type, at
  )
  SELECT
    sequence, operation_id, fingerprint, from_wallet, to_wallet, amount, from_balance,
    from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump,
    coalesce(type, $18::smallint), coalesce(at, $19::timestamptz)
  FROM (
    SELECT
      generate_series($1::bigint, $1::bigint + $2::bigint - 1) AS sequence,
      unnest($3::bytea[]) AS operation_id, unnest($4::bytea[]) AS fingerprint,
      unnest($5::bigint[]) AS from_wallet, unnest($6::bigint[]) AS to_wallet,
      unnest($7::bigint[]) AS amount, unnest($8::bigint[]) AS from_balance,
      unnest($9::bigint[]) AS from_version, unnest($10::bigint[]) AS to_balance,
      unnest($11::bigint[]) AS to_version, unnest($12::bigint[]) AS from_previous,
      unnest($13::bigint[]) AS from_jump, unnest($14::bigint[]) AS to_previous,
      unnest($15::bigint[]) AS to_jump, unnest($16::smallint[]) AS type,
      unnest($17::timestamptz[]) AS at
  ) AS written
  RETURNING 1
)
SELECT 1 / (count(*) = $2::bigint)::integer, nextval('mizan.batches') FROM recorded;
