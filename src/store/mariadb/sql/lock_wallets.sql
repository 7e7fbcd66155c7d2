-- What a decision reads of wallets, which nobody else changes until the transaction ends. Rows are
-- locked as the list names them: by number, so that two transactions never wait for each other.
-- Parameters: 1 numbers, in order (list).
-- Rows: one for each that is there: place in the list from 1, number, id, currency, exponent,
--       status, balance, held, min_balance or NULL, version, revision, head, block, time of the
--       newest entry or NULL.
-- Locks: the rows. (Found by key: where the table is small the optimiser would rather read all of
--        it, and every row that is read here is locked.)
SELECT STRAIGHT_JOIN
  asked.position,
  wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, number BIGINT PATH '$')
) AS asked
JOIN mizan_wallets AS wallets FORCE INDEX (PRIMARY) ON wallets.number = asked.number
FOR UPDATE;
