-- Grants a lease where it is free, expired or this owner's already. A new grant's token is above
-- every token that was granted or applied for the resource; the same owner keeps its token while
-- the lease lasts.
-- Parameters: 1 resource, 2 owner, 3 now, 4 expires_at (microseconds).
-- Rows: one: token; none where another owner holds it. Locks: write.
INSERT INTO leases (resource, token, owner, expires_at)
VALUES (?1, 1 + coalesce((SELECT token FROM fences WHERE resource = ?1), 0), ?2, ?4)
ON CONFLICT (resource) DO UPDATE SET
  token = CASE
    WHEN owner = excluded.owner AND expires_at > ?3 THEN token
    ELSE max(token + 1, excluded.token)
  END,
  owner = excluded.owner,
  expires_at = excluded.expires_at
WHERE owner IS NULL OR owner = excluded.owner OR expires_at <= ?3
RETURNING token;
