-- Creates holds where none of that id exists.
-- Parameters, arrays of one length: 1 id, 2 wallet, 3 to_wallet (0: @world), 4 amount, 5 captured,
--   6 status, 7 expires_at or NULL, 8 created_at.
-- Rows: the ids that were created; must be all. Locks: the ids, until the transaction ends.
INSERT INTO mizan.holds (
  id, wallet, to_wallet, amount, captured, status, expires_at, created_at
)
SELECT * FROM unnest(
  $1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::smallint[],
  $7::timestamptz[], $8::timestamptz[]
)
ON CONFLICT (id) DO NOTHING
RETURNING id;
