-- Remembers that a migration ran.
-- Parameters: 1 version, 2 name (the file's stem), 3 now (microseconds).
-- Rows: none. Locks: write.
INSERT INTO schema_migrations (version, name, applied_at) VALUES (?1, ?2, ?3);
