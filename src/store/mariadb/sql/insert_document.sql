-- Keeps a new document; a duplicate key where there is one of that name.
-- Parameters: 1 kind, 2 name, 3 content. Rows: none. Locks: the row.
INSERT INTO mizan_documents (kind, name, revision, content) VALUES (?, ?, 1, ?);
