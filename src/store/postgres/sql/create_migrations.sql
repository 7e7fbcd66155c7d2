-- The table of migrations that ran.
-- Parameters: none. Rows: none. Locks: exclusive.
CREATE TABLE mizan.schema_migrations (
  version bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
