-- Transactions in the order of events.
-- Parameters: 1 position at which to begin, 2 number of rows.
-- Rows: position, sequence of its first row in the journal, number of its rows there.
-- Locks: shared.
SELECT position, first_sequence, row_count
FROM mizan.event_order
WHERE position >= $1::bigint
ORDER BY position
LIMIT $2::bigint;
