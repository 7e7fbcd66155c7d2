-- The sum of a currency's balances, exact beyond 64 bits: the upper and the lower halves apart.
-- Parameters: 1 currency code.
-- Rows: one: sum of the upper 32 bits (signed), sum of the lower 32 bits.
-- Locks: shared.
SELECT coalesce(sum(balances.balance >> 32), 0), coalesce(sum(balances.balance & 4294967295), 0)
FROM wallets
JOIN balances ON balances.wallet = wallets.number
WHERE wallets.currency = ?1;
