-- Counts a row that it leaves as it is: 1 where rows are counted that were found, 0 where only
-- those that became different are. The guarded writes rely on the first.
-- Parameters: 1 version of a migration that ran. Rows: none. Locks: the row.
UPDATE mizan_schema_migrations SET name = name WHERE version = ?;
