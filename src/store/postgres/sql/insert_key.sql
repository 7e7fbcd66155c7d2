-- Adds a key of the HTTP interface.
-- Parameters: 1 id, 2 name, 3 scopes, 4 hash, 5 rate_per_second or null, 6 created_at.
-- Rows: one: id; none where the id exists. Locks: the row.
INSERT INTO mizan.keys (id, name, scopes, hash, rate_per_second, created_at)
VALUES ($1::text, $2::text, $3::smallint, $4::bytea, $5::bigint, $6::timestamptz)
ON CONFLICT (id) DO NOTHING
RETURNING id;
