-- What a decision reads of a wallet.
-- Parameters: 1 wallet number.
-- Rows: one or none: wallet (number), id, currency, exponent, status, balance, held, min_balance or
--       NULL, version, revision, head, block, time of the newest entry or NULL (microseconds).
-- Locks: shared; inside a writing transaction nobody else can write.
SELECT
  balances.wallet, wallets.id, wallets.currency, wallets.exponent, balances.status,
  balances.balance, balances.held, balances.min_balance, balances.version, balances.revision,
  balances.head, balances.block,
  (SELECT journal.at FROM journal WHERE journal.sequence = balances.head)
FROM balances
JOIN wallets ON wallets.number = balances.wallet
WHERE balances.wallet = ?1;
