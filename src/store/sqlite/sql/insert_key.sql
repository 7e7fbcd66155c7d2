-- Adds a key of the HTTP interface. Changes no row where its id exists.
-- Parameters: 1 id, 2 name, 3 scopes, 4 hash, 5 rate_per_second or null, 6 created_at in
-- microseconds. Rows: none. Locks: write.
INSERT INTO keys (id, name, scopes, hash, rate_per_second, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (id) DO NOTHING;
