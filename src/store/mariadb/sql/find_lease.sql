-- A lease, and for how long it is held: locked, so that what is found stays so.
-- Parameters: 1 resource.
-- Rows: one or none: token, owner or NULL, microseconds left. Locks: the row.
SELECT token, owner, expires_at - CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)
FROM mizan_leases
WHERE resource = ?
FOR UPDATE;
