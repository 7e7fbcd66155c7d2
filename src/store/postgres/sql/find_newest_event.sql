-- The last position, and whether the outbox has something that has none yet.
-- Parameters: none. Rows: one: position, is something waiting. Locks: shared.
SELECT position, EXISTS (SELECT FROM mizan.outbox)
FROM mizan.event_counter
WHERE id = 1;
