-- Grants a lease where it is free, expired or this owner's already. A new grant's token is above
-- every token that was granted or applied for the resource; the same owner keeps its token while
-- the lease lasts. Where the greatest token there is was applied already, nothing is granted.
-- Parameters: 1 resource, 2 owner, 3 now, 4 expires_at (microseconds).
-- Rows: one: token; none where another owner holds it or no token is left. Locks: write.
INSERT INTO leases (resource, token, owner, expires_at)
SELECT ?1, 1 + newest.token, ?2, ?4
FROM (SELECT coalesce((SELECT token FROM fences WHERE resource = ?1), 0) AS token) AS newest
WHERE newest.token < 9223372036854775807
ON CONFLICT (resource) DO UPDATE SET
  token = CASE
    WHEN owner = excluded.owner AND expires_at > ?3 THEN token
    ELSE max(token + 1, excluded.token)
  END,
  owner = excluded.owner,
  expires_at = excluded.expires_at
WHERE (owner = excluded.owner AND expires_at > ?3)
   OR (token < 9223372036854775807
       AND (owner IS NULL OR owner = excluded.owner OR expires_at <= ?3))
RETURNING token;
