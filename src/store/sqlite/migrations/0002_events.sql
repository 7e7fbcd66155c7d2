-- What the program keeps beside the ledger for those who are told of events.

-- Small texts of the program's own, such as a webhook and how far its deliveries are. `revision`
-- guards the row.
CREATE TABLE documents (
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 128),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  revision INTEGER NOT NULL CHECK (revision > 0),
  content TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
