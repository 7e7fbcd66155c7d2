-- Tables of the database that a Galera cluster does not keep the same on every node: of another
-- engine, or without a primary key.
-- Parameters: none. Rows: name; not more than ten. Locks: none.
SELECT tables.table_name
FROM information_schema.TABLES AS tables
WHERE tables.table_schema = DATABASE()
  AND tables.table_type = 'BASE TABLE'
  AND (
    tables.engine <> 'InnoDB'
    OR NOT EXISTS (
      SELECT 1
      FROM information_schema.TABLE_CONSTRAINTS AS keys_of_it
      WHERE keys_of_it.table_schema = tables.table_schema
        AND keys_of_it.table_name = tables.table_name
        AND keys_of_it.constraint_type = 'PRIMARY KEY'
    )
  )
ORDER BY tables.table_name
LIMIT 10;
