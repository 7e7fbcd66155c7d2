-- What a decision reads of wallets.
-- Parameters: 1 numbers (array).
-- Rows: one for each that is there: place in the array from 1, number, id, currency, exponent,
--       status, balance, held, min_balance or NULL, version, revision, head, block, time of the
--       newest entry or NULL.
-- Locks: shared.
SELECT
  asked.position, wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (number, position)
JOIN mizan.wallets ON wallets.number = asked.number;
