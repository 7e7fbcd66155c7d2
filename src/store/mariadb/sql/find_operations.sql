-- The first journal rows of operations.
-- Parameters: 1 operation ids as the journal stores them (list of hexadecimal digits).
-- Rows: one for each that is recorded: place in the list from 1, sequence, fingerprint, type, at,
--       subject, refusal, metadata, whether it has legs, what it left of its hold: captured and
--       status or NULL. Locks: none.
SELECT STRAIGHT_JOIN
  asked.position, journal.sequence, journal.fingerprint, journal.type, journal.at,
  journal.subject, journal.refusal, journal.metadata, journal.amount IS NOT NULL,
  journal.hold_captured, journal.hold_status
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, digits VARCHAR(128) CHARACTER SET latin1 PATH '$')
) AS asked
JOIN mizan_journal AS journal ON journal.operation_id = UNHEX(asked.digits);
