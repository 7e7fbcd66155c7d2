-- Keys of the HTTP interface, without their secrets. A row is never deleted: a log may name it.
CREATE TABLE IF NOT EXISTS mizan_keys (
  id VARCHAR(32) NOT NULL PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  scopes TINYINT NOT NULL,
  hash BINARY(32) NOT NULL,
  rate_per_second BIGINT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT NULL,
  CHECK (scopes BETWEEN 1 AND 7),
  CHECK (rate_per_second > 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
