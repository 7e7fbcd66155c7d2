-- A document of the program's own.
-- Parameters: 1 kind, 2 name. Rows: one or none: name, revision, content. Locks: none.
SELECT name, revision, content FROM mizan_documents WHERE kind = ? AND name = ?;
