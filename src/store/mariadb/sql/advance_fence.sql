-- Remembers a fencing token where it is newer than the newest, or equal and of the same, stated
-- owner. Check and remembering are one statement; it changes one row or none.
-- Parameters: 1 token, 2 owner or '', 3 resource, 4 token, 5 token, 6 owner, 7 owner.
-- Rows: none. Locks: the row.
UPDATE mizan_fences SET token = ?, owner = ?
WHERE resource = ?
  AND (token < ? OR (token = ? AND owner = ? AND ? <> ''));
