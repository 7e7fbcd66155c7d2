-- Documents of a kind in order of name.
-- Parameters: 1 kind, 2 name after which to begin ('' for the first), 3 number of rows.
-- Rows: name, revision, content. Locks: shared.
SELECT name, revision, content
FROM documents
WHERE kind = ?1 AND name > ?2
ORDER BY name
LIMIT ?3;
