-- One node migrates, the others wait for it.
-- Parameters: 1 name of the schema. Rows: one, of no interest.
-- Locks: an advisory one, until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('mizan migrations of ' || $1::text, 0));
