-- What a wallet has beside its state.
-- Parameters: 1 wallet number. Rows: one or none: metadata or NULL, created_at. Locks: shared.
SELECT metadata, created_at FROM mizan.wallets WHERE number = $1::bigint;
