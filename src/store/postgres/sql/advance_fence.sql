-- Remembers a fencing token where it is newer than the newest, or equal and of the same, stated
-- owner. Check and remembering are one statement; it changes one row or none.
-- Parameters: 1 resource, 2 token, 3 owner or ''. Rows: none. Locks: the row.
INSERT INTO mizan.fences AS known (resource, token, owner) VALUES ($1, $2, $3)
ON CONFLICT (resource) DO UPDATE SET token = excluded.token, owner = excluded.owner
WHERE known.token < excluded.token
   OR (known.token = excluded.token AND known.owner = excluded.owner AND excluded.owner <> '');
