-- The sum of a currency's balances, exact beyond 64 bits: the upper and the lower halves apart.
-- Parameters: 1 currency code.
-- Rows: one: sum of the upper 32 bits (signed), sum of the lower 32 bits. Locks: shared.
SELECT
  coalesce(sum(balance >> 32), 0)::bigint,
  coalesce(sum(balance & 4294967295), 0)::bigint
FROM mizan.wallets
WHERE currency = $1::text;
