-- Creates a wallet; changes no row where the id exists.
-- Parameters: 1 id, 2 currency, 3 exponent, 4 created_at, 5 metadata or NULL, 6 min_balance or
--             NULL.
-- Rows: none. Locks: the id, until the transaction ends.
INSERT INTO mizan.wallets (id, currency, exponent, created_at, metadata, min_balance)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO NOTHING;
