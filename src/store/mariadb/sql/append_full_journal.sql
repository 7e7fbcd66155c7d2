-- As append_journal, where a row has more than its leg.
-- Parameters, many rows at once: 1–17 as append_journal, 18 subject, 19 refusal, 20 metadata,
--   21 hold_captured, 22 hold_status.
-- Rows: none; must insert as many as were given. Locks: the ids, until the transaction ends.
INSERT INTO mizan_journal (
  sequence, operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance,
  from_version, to_balance, to_version, from_previous, from_jump, to_previous, to_jump, leg,
  subject, refusal, metadata, hold_captured, hold_status
) VALUES (
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);
