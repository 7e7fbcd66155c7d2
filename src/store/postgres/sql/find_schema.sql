-- Is there the schema, and in it the table of migrations?
-- Parameters: 1 name of the schema. Rows: one: two booleans. Locks: shared.
SELECT
  EXISTS (SELECT FROM pg_namespace WHERE nspname = $1::text),
  EXISTS (
    SELECT FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
    WHERE pg_namespace.nspname = $1::text AND pg_class.relname = 'schema_migrations'
  );
