-- Removes a document.
-- Parameters: 1 kind, 2 name. Rows: none. Locks: the row.
DELETE FROM mizan_documents WHERE kind = ? AND name = ?;
