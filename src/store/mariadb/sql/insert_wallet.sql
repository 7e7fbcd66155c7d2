-- Creates a wallet.
-- Parameters: 1 id, 2 currency, 3 exponent, 4 created_at, 5 metadata or NULL, 6 min_balance or
--   NULL.
-- Rows: none; a duplicate key where the id exists. Locks: the id.
INSERT INTO mizan_wallets (id, currency, exponent, created_at, metadata, min_balance)
VALUES (?, ?, ?, ?, ?, ?);
