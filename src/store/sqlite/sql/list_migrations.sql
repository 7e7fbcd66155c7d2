-- The migrations that ran, oldest first.
-- Parameters: none. Rows: version, name. Locks: shared.
SELECT version, name FROM schema_migrations ORDER BY version;
