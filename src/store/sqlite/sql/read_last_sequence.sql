-- The journal's last sequence, 0 when it is empty.
-- Parameters: none. Rows: one: sequence. Locks: shared.
SELECT coalesce(max(sequence), 0) FROM journal;
