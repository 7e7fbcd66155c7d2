-- Adds a key of the HTTP interface; an id that exists is error 1062.
-- Parameters: 1 id, 2 name, 3 scopes, 4 hash, 5 rate_per_second or null, 6 created_at in
-- microseconds. Rows: none. Locks: the row.
INSERT INTO mizan_keys (id, name, scopes, hash, rate_per_second, created_at)
VALUES (?, ?, ?, ?, ?, ?);
