-- Wallets in order of id.
-- Parameters: 1 id after which to begin ('' for the first), 2 number of rows.
-- Rows: id, currency, exponent, balance, held, min_balance or NULL, status, version, metadata or
--       NULL, created_at. Locks: none.
SELECT
  id, currency, exponent, balance, held, min_balance, status, version, metadata, created_at
FROM mizan_wallets
WHERE id > ?
ORDER BY id
LIMIT ?;
