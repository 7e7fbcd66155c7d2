-- A wallet as readers see it.
-- Parameters: 1 wallet id (text).
-- Rows: one or none: id, currency, exponent, balance, held, min_balance or NULL, status, version,
--       metadata or NULL, created_at (microseconds).
-- Locks: shared.
SELECT
  wallets.id, wallets.currency, wallets.exponent, balances.balance, balances.held,
  balances.min_balance, balances.status, balances.version, wallets.metadata, wallets.created_at
FROM wallets
JOIN balances ON balances.wallet = wallets.number
WHERE wallets.id = ?1;
