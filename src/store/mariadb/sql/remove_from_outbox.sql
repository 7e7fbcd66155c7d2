-- Takes transactions out of the outbox.
-- Parameters, many rows at once: 1 tick, 2 first_sequence.
-- Rows: none; must remove as many as were given. Locks: the rows.
DELETE FROM mizan_outbox WHERE tick = ? AND first_sequence = ?;
