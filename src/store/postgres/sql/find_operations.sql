-- The first journal rows of operations. Ids above the newest one that is recorded need no look-up:
-- ids that grow with time, the common case, cost two of them in all. Ids that are UUIDs and others
-- are told apart by their first byte, so that neither hides the newest of the other.
-- Parameters: 1 operation ids as the journal stores them (array of bytes).
-- Rows: one for each that is recorded: place in the array from 1, sequence, fingerprint, type, at,
--       subject, refusal, metadata, whether it has legs, what it left of its hold: captured and
--       status or NULL. Locks: shared.
SELECT
  asked.position, journal.sequence, journal.fingerprint, journal.type, journal.at,
  journal.subject, journal.refusal, journal.metadata, journal.amount IS NOT NULL,
  journal.hold_captured, journal.hold_status
FROM (
  SELECT
    unnest($1::bytea[]) AS operation_id,
    generate_series(1::bigint, cardinality($1::bytea[])::bigint) AS position
) AS asked
JOIN mizan.journal ON journal.operation_id = asked.operation_id
WHERE asked.operation_id <= CASE
  WHEN asked.operation_id < '\x02'::bytea THEN (
    SELECT operation_id FROM mizan.journal
    WHERE operation_id < '\x02'::bytea
    ORDER BY operation_id DESC LIMIT 1
  )
  ELSE (
    SELECT operation_id FROM mizan.journal
    WHERE operation_id IS NOT NULL
    ORDER BY operation_id DESC LIMIT 1
  )
END;
