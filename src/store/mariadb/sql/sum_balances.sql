-- The sum of a currency's balances, exact beyond 64 bits: as a multiple of 2^32 and what is left.
-- Parameters: 1 currency code.
-- Rows: one: the multiple, what is left; both of the sum's sign. Locks: none.
SELECT
  COALESCE(SUM(balance), 0) DIV 4294967296,
  CAST(COALESCE(SUM(balance), 0) MOD 4294967296 AS SIGNED)
FROM mizan_wallets
WHERE currency = ?;
