-- One at a time gives events their places.
-- Parameters: none. Rows: one: the last position. Locks: the row.
SELECT position FROM mizan_event_counter WHERE id = 1 FOR UPDATE;
