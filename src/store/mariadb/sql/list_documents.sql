-- Documents of a kind in order of name.
-- Parameters: 1 kind, 2 name after which to begin ('' for the first), 3 number of rows.
-- Rows: name, revision, content. Locks: none.
SELECT name, revision, content
FROM mizan_documents
WHERE kind = ? AND name > ?
ORDER BY name
LIMIT ?;
