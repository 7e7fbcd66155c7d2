-- Keys of the HTTP interface, without their secrets. A row is never deleted: a log may name it.
CREATE TABLE keys (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 32),
  name TEXT NOT NULL,
  scopes INTEGER NOT NULL CHECK (scopes BETWEEN 1 AND 7),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  rate_per_second INTEGER CHECK (rate_per_second > 0),
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 3;
