-- Remembers what an operation left of its hold.
-- Parameters: 1 sequence of the operation's first row, 2 captured, 3 status.
-- Rows: none. Locks: write.
INSERT INTO hold_states (sequence, captured, status) VALUES (?1, ?2, ?3);
