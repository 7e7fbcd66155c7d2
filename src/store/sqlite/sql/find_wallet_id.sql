-- The id of a wallet.
-- Parameters: 1 wallet number. Rows: one or none: id. Locks: shared.
SELECT id FROM wallets WHERE number = ?1;
