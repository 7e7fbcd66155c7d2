-- Grants a lease where it is free, expired or this owner's already. A new grant's token is above
-- every token that was granted or applied for the resource; the same owner keeps its token while
-- the lease lasts. Where the greatest token there is was applied already, nothing is granted.
-- Time is the database's: one clock for all who ask.
-- Parameters: 1 resource, 2 owner, 3 microseconds that it lasts.
-- Rows: one: token; none where another owner holds it or no token is left. Locks: the row.
INSERT INTO mizan.leases AS known (resource, token, owner, expires_at)
SELECT
  $1::text, 1 + newest.token, $2::text, clock_timestamp() + $3::bigint * interval '1 microsecond'
FROM (
  SELECT coalesce((SELECT token FROM mizan.fences WHERE resource = $1::text), 0) AS token
) AS newest
WHERE newest.token < 9223372036854775807
ON CONFLICT (resource) DO UPDATE SET
  token = CASE
    WHEN known.owner = excluded.owner AND known.expires_at > clock_timestamp() THEN known.token
    ELSE greatest(
      CASE WHEN known.token < 9223372036854775807 THEN known.token + 1 END,
      excluded.token
    )
  END,
  owner = excluded.owner,
  expires_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
WHERE (known.owner = excluded.owner AND known.expires_at > clock_timestamp())
   OR (known.token < 9223372036854775807
       AND (known.owner IS NULL OR known.owner = excluded.owner
            OR known.expires_at <= clock_timestamp()))
RETURNING token;
