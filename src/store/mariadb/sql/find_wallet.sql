-- A wallet as readers see it.
-- Parameters: 1 wallet id.
-- Rows: one or none: id, currency, exponent, balance, held, min_balance or NULL, status, version,
--       metadata or NULL, created_at. Locks: none.
SELECT
  id, currency, exponent, balance, held, min_balance, status, version, metadata, created_at
FROM mizan_wallets
WHERE id = ?;
