-- Registers a currency.
-- Parameters: 1 code, 2 exponent.
-- Rows: none; a duplicate key where the code is registered. Locks: the code.
INSERT INTO mizan_currencies (code, exponent) VALUES (?, ?);
