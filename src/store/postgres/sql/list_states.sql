-- Wallets in order of number.
-- Parameters: 1 number after which to begin, 2 number of rows.
-- Rows: 0, number, id, currency, exponent, status, balance, held, min_balance or NULL, version,
--       revision, head, block, time of the newest entry or NULL. Locks: shared.
SELECT
  0::bigint, number, id, currency, exponent, status, balance, held, min_balance, version, revision,
  head, block, last_entry_at
FROM mizan.wallets
WHERE number > $1::bigint
ORDER BY number
LIMIT $2::bigint;
