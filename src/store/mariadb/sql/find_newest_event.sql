-- The last position, and whether the outbox has something that has none yet.
-- Parameters: none. Rows: one: position, is something waiting. Locks: none.
SELECT position, EXISTS (SELECT 1 FROM mizan_outbox)
FROM mizan_event_counter
WHERE id = 1;
