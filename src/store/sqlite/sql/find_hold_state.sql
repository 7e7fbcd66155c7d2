-- What an operation left of its hold.
-- Parameters: 1 sequence of the operation's first row.
-- Rows: one or none: captured, status. Locks: shared.
SELECT captured, status FROM hold_states WHERE sequence = ?1;
