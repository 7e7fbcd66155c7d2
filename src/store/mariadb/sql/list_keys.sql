-- All keys of the HTTP interface, in order of id.
-- Parameters: none. Rows: id, name, scopes, hash, rate_per_second or null, created_at, revoked_at
-- (both in microseconds, the latter null while it is good). Locks: none.
SELECT id, name, scopes, hash, rate_per_second, created_at, revoked_at
FROM mizan_keys ORDER BY id;
