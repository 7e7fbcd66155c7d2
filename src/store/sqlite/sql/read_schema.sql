-- The tables, indexes, views and triggers of the file, without those that SQLite makes by itself.
-- Parameters: none. Rows: type, name, the table it belongs to, its SQL. Locks: shared.
SELECT type, name, tbl_name, sql
FROM sqlite_schema
WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'
ORDER BY rowid;
