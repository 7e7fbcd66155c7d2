-- The result of a guarded operation; must change one row.
-- Parameters: 1 operation id (text), 2 result. Rows: none. Locks: write.
UPDATE admissions SET result = ?2 WHERE id = ?1;
