-- Creates a hold; a primary key violation where one of that id exists.
-- Parameters: 1 id, 2 wallet, 3 to_wallet (0: @world), 4 amount, 5 captured, 6 status,
--             7 expires_at or NULL, 8 created_at (microseconds).
-- Rows: none. Locks: write.
INSERT INTO holds (id, wallet, to_wallet, amount, captured, status, expires_at, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
