-- Those of the journal's rows that begin an applied operation.
-- Parameters: 1 sequences (array). Rows: place in the array from 1, operation_id; in that order.
-- Locks: shared.
SELECT asked.place, journal.operation_id
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (sequence, place)
JOIN mizan.journal ON journal.sequence = asked.sequence
WHERE journal.operation_id IS NOT NULL AND journal.refusal IS NULL
ORDER BY asked.place;
