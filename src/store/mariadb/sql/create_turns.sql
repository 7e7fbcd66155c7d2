-- Whose turn it is to migrate a ledger on a Galera cluster.
-- Parameters: none. Rows: none. Locks: exclusive, for a moment.
CREATE TABLE IF NOT EXISTS mizan_schema_turns (
  id TINYINT NOT NULL PRIMARY KEY,
  owner VARCHAR(64) NOT NULL,
  ends_at BIGINT NOT NULL,
  CHECK (id = 1)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
