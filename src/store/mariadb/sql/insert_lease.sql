-- Grants the first lease of a resource.
-- Parameters: 1 resource, 2 token, 3 owner, 4 microseconds that it lasts.
-- Rows: none; a duplicate key where somebody else was faster. Locks: the row.
INSERT INTO mizan_leases (resource, token, owner, expires_at)
VALUES (?, ?, ?, CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) + ?);
