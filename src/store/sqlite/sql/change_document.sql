-- Changes a document that still is what was read.
-- Parameters: 1 kind, 2 name, 3 content, 4 revision before. Rows: none. Locks: write.
UPDATE documents SET revision = revision + 1, content = ?3
WHERE kind = ?1 AND name = ?2 AND revision = ?4;
