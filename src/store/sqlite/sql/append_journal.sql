-- Appends the batch's rows to the journal. The sequence is left to SQLite, which then appends
-- without a search; the caller checks that the last one is the one it counted on.
-- Parameters: none (the rows are those of batch_journal).
-- Rows: none; must change as many as the batch has. Locks: write.
INSERT INTO journal (
  operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links, subject, refusal, metadata
)
SELECT
  operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links, subject, refusal, metadata
FROM batch_journal;
