-- The result of a guarded operation; must change one row.
-- Parameters: 1 operation id, 2 result. Rows: none. Locks: the row.
UPDATE mizan.admissions SET result = $2::bytea WHERE id = $1::text;
