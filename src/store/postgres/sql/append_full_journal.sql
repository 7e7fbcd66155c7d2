-- As append_journal, where a row has more than its leg.
-- Parameters, arrays of one length: 1–16 as append_journal, 17 subject, 18 refusal, 19 metadata,
--   20 hold_captured, 21 hold_status.
-- Rows: none; must insert as many as the arrays have. Locks: the ids, until the transaction ends.
WITH told AS (
  INSERT INTO mizan.outbox (first_sequence, row_count)
  VALUES (($1::bigint[])[1], cardinality($1::bigint[]))
)
INSERT INTO mizan.journal (
  sequence, operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance,
  from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump, subject,
  refusal, metadata, hold_captured, hold_status
)
SELECT * FROM unnest(
  $1::bigint[], $2::bytea[], $3::bytea[], $4::smallint[], $5::timestamptz[], $6::bigint[],
  $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
  $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::text[], $18::text[],
  $19::text[], $20::bigint[], $21::smallint[]
);
