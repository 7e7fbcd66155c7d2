-- The result of a guarded operation; must change one row.
-- Parameters: 1 result, 2 operation id. Rows: none. Locks: the row.
UPDATE mizan_admissions SET result = ? WHERE id = ?;
