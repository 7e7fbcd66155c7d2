-- The newest migration that ran; an unknown table where there is no ledger.
-- Parameters: none. Rows: one: version, 0 where none ran. Locks: none.
SELECT COALESCE(MAX(version), 0) FROM mizan_schema_migrations;
