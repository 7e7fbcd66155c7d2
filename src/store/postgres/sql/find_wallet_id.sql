-- The id of a wallet.
-- Parameters: 1 wallet number. Rows: one or none: id. Locks: shared.
SELECT id FROM mizan.wallets WHERE number = $1::bigint;
