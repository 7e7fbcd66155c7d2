-- As append_journal, for a batch in which no row has a subject, a refusal or metadata.
-- Parameters: none (the rows are those of batch_journal).
-- Rows: none; must change as many as the batch has. Locks: write.
INSERT INTO journal (
  operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links
)
SELECT
  operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links
FROM batch_journal;
