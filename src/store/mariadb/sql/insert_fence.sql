-- Remembers the first token of a resource.
-- Parameters: 1 resource, 2 token, 3 owner or ''.
-- Rows: none; a duplicate key where there is a token. Locks: the row.
INSERT INTO mizan_fences (resource, token, owner) VALUES (?, ?, ?);
