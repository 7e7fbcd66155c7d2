-- A document of the program's own.
-- Parameters: 1 kind, 2 name. Rows: one or none: name, revision, content. Locks: shared.
SELECT name, revision, content FROM mizan.documents WHERE kind = $1::text AND name = $2::text;
