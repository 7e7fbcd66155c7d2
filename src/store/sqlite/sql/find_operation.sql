-- The first journal row of an operation.
-- Parameters: 1 operation id (text, or 16 bytes for a UUID).
-- Rows: one or none: sequence, fingerprint, type, at (microseconds), subject, refusal, metadata,
--       whether it has legs.
-- Locks: shared.
SELECT sequence, fingerprint, type, at, subject, refusal, metadata, amount IS NOT NULL
FROM journal
WHERE operation_id = ?1;
