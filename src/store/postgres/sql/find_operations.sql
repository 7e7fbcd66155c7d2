-- The first journal rows of operations.
-- Parameters: 1 operation ids as the journal stores them (array of bytes).
-- Rows: one for each that is recorded: place in the array from 1, sequence, fingerprint, type, at,
--       subject, refusal, metadata, whether it has legs, what it left of its hold: captured and
--       status or NULL. Locks: shared.
SELECT
  asked.position, journal.sequence, journal.fingerprint, journal.type, journal.at,
  journal.subject, journal.refusal, journal.metadata, journal.amount IS NOT NULL,
  journal.hold_captured, journal.hold_status
FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (operation_id, position)
JOIN mizan.journal ON journal.operation_id = asked.operation_id;
