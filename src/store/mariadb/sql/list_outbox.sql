-- Committed transactions that have no position yet, in the order in which they get one.
-- Parameters: 1 number of rows. Rows: tick, sequence of its first row in the
-- journal, number of its rows there. Locks: none.
SELECT tick, first_sequence, row_count
FROM mizan_outbox
ORDER BY tick, first_sequence
LIMIT ?;
