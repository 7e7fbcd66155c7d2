-- The id of a wallet.
-- Parameters: 1 wallet number. Rows: one or none: id. Locks: none.
SELECT id FROM mizan_wallets WHERE number = ?;
