-- Registers a currency; changes no row where the code is registered.
-- Parameters: 1 code, 2 exponent. Rows: none. Locks: the code, until the transaction ends.
INSERT INTO mizan.currencies (code, exponent) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING;
