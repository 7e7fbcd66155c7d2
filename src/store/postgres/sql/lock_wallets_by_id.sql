-- What a decision reads of wallets, which nobody else changes until the transaction ends. Locked in
-- order of number, so that two transactions never wait for each other.
-- Parameters: 1 ids (array).
-- Rows: one for each that is there: place in the array from 1, number, id, currency, exponent,
--       status, balance, held, min_balance or NULL, version, revision, head, block, time of the
--       newest entry or NULL.
-- Locks: the rows, but not their keys.
SELECT
  asked.position, wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, position)
JOIN mizan.wallets ON wallets.id = asked.id
ORDER BY wallets.number
FOR NO KEY UPDATE OF wallets;
