-- The newest migration that ran; an undefined table where there is no ledger.
-- Parameters: none. Rows: one: version, 0 where none ran. Locks: shared.
SELECT coalesce(max(version), 0) FROM mizan.schema_migrations;
