-- Gives the turn to migrate to whoever comes next.
-- Parameters: 1 owner. Rows: none; changes one row or none. Locks: the row.
UPDATE mizan_schema_turns SET ends_at = 0 WHERE id = 1 AND owner = ?;
