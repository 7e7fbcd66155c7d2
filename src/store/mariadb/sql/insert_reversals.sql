-- Remembers that operations were reversed.
-- Parameters, many rows at once: 1 reversed operation, 2 reversed by.
-- Rows: none; a duplicate key where one was reversed before. Locks: the ids.
INSERT INTO mizan_reversals (
  operation, reversed_by
) VALUES (
  ?, ?
);
