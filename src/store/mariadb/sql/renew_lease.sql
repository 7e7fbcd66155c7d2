-- Extends a lease that its owner still holds; changes one row or none.
-- Parameters: 1 microseconds that it lasts, 2 resource, 3 owner. Rows: none. Locks: the row.
UPDATE mizan_leases SET expires_at = CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) + ?
WHERE resource = ? AND owner = ?
  AND expires_at > CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED);
