-- Those of the journal's rows that begin an applied operation.
-- Parameters: 1 sequences (list). Rows: place in the list from 1, operation_id; in that order.
-- Locks: none.
SELECT STRAIGHT_JOIN asked.place, journal.operation_id
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (place FOR ORDINALITY, sequence BIGINT PATH '$')
) AS asked
JOIN mizan_journal AS journal ON journal.sequence = asked.sequence
WHERE journal.operation_id IS NOT NULL AND journal.refusal IS NULL;
