-- The empty balance of a new wallet.
-- Parameters: 1 wallet number, 2 min_balance (minor units) or NULL. Rows: none. Locks: write.
INSERT INTO balances (wallet, balance, held, min_balance, status, version, revision, head, block)
VALUES (?1, 0, 0, ?2, 0, 0, 0, 0, 0);
