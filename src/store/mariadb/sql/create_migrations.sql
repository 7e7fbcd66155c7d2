-- The table of migrations that ran.
-- Parameters: none. Rows: none. Locks: exclusive, for a moment.
CREATE TABLE IF NOT EXISTS mizan_schema_migrations (
  version BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  applied_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
