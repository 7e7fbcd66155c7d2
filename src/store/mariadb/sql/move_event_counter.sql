-- Remembers the last position that was given.
-- Parameters: 1 position. Rows: none; must change one. Locks: the row.
UPDATE mizan_event_counter SET position = ? WHERE id = 1;
