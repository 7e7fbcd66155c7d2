-- Removes a document.
-- Parameters: 1 kind, 2 name. Rows: none. Locks: the row.
DELETE FROM mizan.documents WHERE kind = $1::text AND name = $2::text;
