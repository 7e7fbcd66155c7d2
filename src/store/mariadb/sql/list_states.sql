-- Wallets in order of number.
-- Parameters: 1 number after which to begin, 2 number of rows.
-- Rows: 0, number, id, currency, exponent, status, balance, held, min_balance or NULL, version,
--       revision, head, block, time of the newest entry or NULL. Locks: none.
SELECT
  0,
  wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM mizan_wallets AS wallets
WHERE wallets.number > ?
ORDER BY wallets.number
LIMIT ?;
