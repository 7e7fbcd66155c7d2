-- Gives transactions their positions; to be run after lock_event_counter.
-- Parameters, many rows at once: 1 position, 2 first_sequence, 3 number of its rows in the journal.
-- Rows: none; must insert as many as were given. Locks: the rows.
INSERT INTO mizan_event_order (position, first_sequence, row_count) VALUES (?, ?, ?);
