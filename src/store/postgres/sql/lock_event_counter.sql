-- One at a time gives events their places.
-- Parameters: none. Rows: one: the last position. Locks: the row.
SELECT position FROM mizan.event_counter WHERE id = 1 FOR NO KEY UPDATE;
