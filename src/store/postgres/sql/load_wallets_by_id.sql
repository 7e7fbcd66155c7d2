-- What a decision reads of wallets.
-- Parameters: 1 ids (array).
-- Rows: one for each that is there: place in the array from 1, number, id, currency, exponent,
--       status, balance, held, min_balance or NULL, version, revision, head, block, time of the
--       newest entry or NULL.
-- Locks: shared.
SELECT
  asked.position, wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, position)
JOIN mizan.wallets ON wallets.id = asked.id;
