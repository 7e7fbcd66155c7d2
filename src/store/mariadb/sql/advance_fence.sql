-- Remembers a fencing token where it is newer than the newest, or equal and of the same, stated
-- owner. Check and remembering are one statement; it changes one row or none. A server writes
-- nothing for a row that stays as it is; on a Galera cluster it must be written to, so that another
-- node's newer token and this transaction do not both commit.
-- Parameters: 1 token, 2 owner or '', 3 one on a cluster, otherwise zero, 4 resource, 5 token,
--   6 token, 7 owner, 8 owner.
-- Rows: none. Locks: the row.
UPDATE mizan_fences SET token = ?, owner = ?, touched = touched + ?
WHERE resource = ?
  AND (token < ? OR (token = ? AND owner = ? AND ? <> ''));
