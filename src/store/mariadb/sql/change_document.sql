-- Changes a document that still is what was read.
-- Parameters: 1 content, 2 kind, 3 name, 4 revision before. Rows: none. Locks: the row.
UPDATE mizan_documents SET revision = revision + 1, content = ?
WHERE kind = ? AND name = ? AND revision = ?;
