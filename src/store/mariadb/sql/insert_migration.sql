-- Remembers that a migration ran.
-- Parameters: 1 version, 2 name (the file's stem). Rows: none. Locks: write.
INSERT INTO mizan_schema_migrations (version, name) VALUES (?, ?);
