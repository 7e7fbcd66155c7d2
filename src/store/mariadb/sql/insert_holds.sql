-- Creates holds.
-- Parameters, many rows at once: 1 id, 2 wallet, 3 to_wallet (0: @world), 4 amount, 5 captured,
--   6 status, 7 expires_at or NULL, 8 created_at.
-- Rows: none; a duplicate key where a hold of that id exists. Locks: the ids.
INSERT INTO mizan_holds (
  id, wallet, to_wallet, amount, captured, status, expires_at, created_at
) VALUES (
  ?, ?, ?, ?, ?, ?, ?, ?
);
