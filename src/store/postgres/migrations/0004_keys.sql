-- Keys of the HTTP interface, without their secrets. A row is never deleted: a log may name it.
CREATE TABLE mizan.keys (
  id text COLLATE "C" PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 32),
  name text NOT NULL,
  scopes smallint NOT NULL CHECK (scopes BETWEEN 1 AND 7),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  rate_per_second bigint CHECK (rate_per_second > 0),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
