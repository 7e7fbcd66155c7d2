-- What a decision reads of a wallet.
-- Parameters: 1 wallet id (text).
-- Rows: one or none: wallet (number), id, currency, exponent, status, balance, held, min_balance or
--       NULL, version, revision, head, block, time of the newest entry or NULL (microseconds).
-- Locks: shared; inside a writing transaction nobody else can write.
SELECT
  balances.wallet, wallets.id, wallets.currency, wallets.exponent, balances.status,
  balances.balance, balances.held, balances.min_balance, balances.version, balances.revision,
  balances.head, balances.block,
  (SELECT journal.at FROM journal WHERE journal.sequence = balances.head)
FROM wallets
JOIN balances ON balances.wallet = wallets.number
WHERE wallets.id = ?1;
