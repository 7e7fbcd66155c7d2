-- The ledger's tables that this transaction has locked beside those that the guard itself uses.
-- Parameters: 1 name of the schema. Rows: names. Locks: none.
SELECT pg_class.relname::text
FROM pg_locks
JOIN pg_class ON pg_class.oid = pg_locks.relation
JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_locks.pid = pg_backend_pid()
  AND pg_locks.locktype = 'relation'
  AND pg_namespace.nspname = $1::text
  AND pg_class.relname NOT IN (
    'admissions', 'admissions_pkey', 'fences', 'fences_pkey', 'schema_migrations',
    'schema_migrations_pkey'
  )
ORDER BY 1;
