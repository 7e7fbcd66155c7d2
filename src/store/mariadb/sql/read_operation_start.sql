-- The first row of the operation that a journal row belongs to.
-- Parameters: 1 sequence. Rows: one or none: operation_id or NULL, metadata or NULL. Locks: none.
SELECT operation.operation_id, operation.metadata
FROM mizan_journal AS journal
JOIN mizan_journal AS operation ON operation.sequence = journal.sequence - journal.leg
WHERE journal.sequence = ?;
