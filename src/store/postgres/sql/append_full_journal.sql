-- As append_journal, where a row has more than its leg.
-- Parameters: 1–19 as append_journal; arrays of the same length: 20 subject, 21 refusal, 22
--   metadata, 23 hold_captured, 24 hold_status.
-- Rows: one: of no interest, the number for a transaction to come; an error (22012) where not each
--   of them was inserted. Locks: the ids, until the transaction ends.
WITH told AS (
  INSERT INTO mizan.outbox (first_sequence, row_count) VALUES ($1::bigint, $2::bigint)
), recorded AS (
  INSERT INTO mizan.journal (
    sequence, operation_id, fingerprint, from_wallet, to_wallet, amount, from_balance,
    from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump, type,
    at, subject, refusal, metadata, hold_captured, hold_status
  )
  SELECT
    sequence, operation_id, fingerprint, from_wallet, to_wallet, amount, from_balance,
    from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump,
    coalesce(type, $18::smallint), coalesce(at, $19::timestamptz), subject, refusal, metadata,
    hold_captured, hold_status
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
      unnest($17::timestamptz[]) AS at, unnest($20::text[]) AS subject,
      unnest($21::text[]) AS refusal, unnest($22::text[]) AS metadata,
      unnest($23::bigint[]) AS hold_captured, unnest($24::smallint[]) AS hold_status
  ) AS written
  RETURNING 1
)
SELECT 1 / (count(*) = $2::bigint)::integer, nextval('mizan.batches') FROM recorded;
