-- Transactions in the order of events.
-- Parameters: 1 position at which to begin, 2 number of rows.
-- Rows: position, sequence of its first row in the journal, number of its rows there. Locks: none.
SELECT position, first_sequence, row_count
FROM mizan_event_order
WHERE position >= ?
ORDER BY position
LIMIT ?;
