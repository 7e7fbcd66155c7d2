-- Wallets in order of id.
-- Parameters: 1 id after which to begin ('' for the first), 2 number of rows.
-- Rows: id, currency, exponent, balance, held, min_balance or NULL, status, version,
--       metadata or NULL, created_at (microseconds).
-- Locks: shared.
SELECT
  wallets.id, wallets.currency, wallets.exponent, balances.balance, balances.held,
  balances.min_balance, balances.status, balances.version, wallets.metadata, wallets.created_at
FROM wallets
JOIN balances ON balances.wallet = wallets.number
WHERE wallets.id > ?1
ORDER BY wallets.id
LIMIT ?2;
