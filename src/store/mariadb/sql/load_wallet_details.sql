-- What a wallet has beside its state.
-- Parameters: 1 wallet number. Rows: one or none: metadata or NULL, created_at. Locks: none.
SELECT metadata, created_at FROM mizan_wallets WHERE number = ?;
