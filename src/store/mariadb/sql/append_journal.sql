-- Appends rows to the journal; a duplicate key where an operation id is recorded.
-- Parameters, many rows at once: 1 sequence, 2 operation_id, 3 fingerprint, 4 type, 5 at,
--   6 from_wallet, 7 to_wallet, 8 amount, 9 from_balance, 10 from_version, 11 to_balance,
--   12 to_version, 13 from_previous, 14 from_jump, 15 to_previous, 16 to_jump, 17 leg.
-- Rows: none; must insert as many as were given. Locks: the ids, until the transaction ends.
INSERT INTO mizan_journal (
  sequence, operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance,
  from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump, leg
) VALUES (
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);
