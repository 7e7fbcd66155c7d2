-- Removes a document.
-- Parameters: 1 kind, 2 name. Rows: none. Locks: write.
DELETE FROM documents WHERE kind = ?1 AND name = ?2;
