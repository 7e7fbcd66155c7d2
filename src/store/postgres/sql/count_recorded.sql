-- How many of the operation ids are recorded by now.
-- Parameters: 1 operation ids as the journal stores them (array of bytes).
-- Rows: one: the number. Locks: shared.
SELECT count(*)
FROM unnest($1::bytea[]) AS asked (operation_id)
JOIN mizan.journal ON journal.operation_id = asked.operation_id;
