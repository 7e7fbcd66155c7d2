-- Gives a lease back where its owner still holds it; changes one row or none. The token stays.
-- Parameters: 1 resource, 2 owner. Rows: none. Locks: the row.
UPDATE mizan_leases SET owner = NULL
WHERE resource = ? AND owner = ?
  AND expires_at > CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED);
