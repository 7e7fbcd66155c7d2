-- Creates a wallet; changes no row where the id exists. Its number is the rowid.
-- Parameters: 1 id, 2 currency, 3 exponent, 4 created_at (microseconds), 5 metadata or NULL.
-- Rows: none. Locks: write.
INSERT INTO wallets (id, currency, exponent, created_at, metadata) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (id) DO NOTHING;
