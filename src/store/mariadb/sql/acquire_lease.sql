-- Grants a lease where it is free, expired or this owner's already. A new grant's token is above
-- every token that was granted or applied for the resource; the same owner keeps its token while
-- the lease lasts. Where the greatest token there is was applied already, nothing is granted.
-- Time is the database's: one clock for all who ask; SYSDATE goes on while a statement waits.
-- What is assigned first reads the columns as they were, so `token` stands first.
-- Parameters: 1 owner, 2 newest token applied for the resource (0: none), 3 owner, 4 microseconds
--   that it lasts, 5 resource, 6 owner, 7 newest token applied, 8 owner.
-- Rows: none; changes one where it was granted. Locks: the row.
UPDATE mizan_leases SET
  token = IF(
    owner = ? AND expires_at > CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED),
    token,
    GREATEST(token, ?) + 1
  ),
  owner = ?,
  expires_at = CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) + ?
WHERE resource = ?
  AND (
    (owner = ? AND expires_at > CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED))
    OR (
      token < 9223372036854775807
      AND ? < 9223372036854775807
      AND (
        owner IS NULL
        OR owner = ?
        OR expires_at <= CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)
      )
    )
  );
