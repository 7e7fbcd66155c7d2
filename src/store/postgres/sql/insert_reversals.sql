-- Remembers that operations were reversed, where they were not before.
-- Parameters, arrays of one length: 1 reversed operations, 2 reversed by.
-- Rows: the operations that were remembered; must be all. Locks: the ids.
INSERT INTO mizan.reversals (operation, reversed_by)
SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (operation) DO NOTHING
RETURNING operation;
