-- Appends rows to the journal, which follow each other, and tells the outbox of them; a unique
-- violation where an operation id is recorded. To be run while all that it is about is locked.
-- Parameters, arrays of one length: 1 sequence, 2 operation_id, 3 fingerprint, 4 type, 5 at,
--   6 from_wallet, 7 to_wallet, 8 amount, 9 from_balance, 10 from_version, 11 to_balance,
--   12 to_version, 13 from_previous, 14 from_jump, 15 to_previous, 16 to_jump.
-- Rows: none; must insert as many as the arrays have. Locks: the ids, until the transaction ends.
WITH told AS (
  INSERT INTO mizan.outbox (first_sequence, row_count)
  VALUES (($1::bigint[])[1], cardinality($1::bigint[]))
)
INSERT INTO mizan.journal (
  sequence, operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance,
  from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump
)
SELECT * FROM unnest(
  $1::bigint[], $2::bytea[], $3::bytea[], $4::smallint[], $5::timestamptz[], $6::bigint[],
  $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
  $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[]
);
