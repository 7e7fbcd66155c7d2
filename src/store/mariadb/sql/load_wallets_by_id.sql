-- What a decision reads of wallets.
-- Parameters: 1 ids (list).
-- Rows: one for each that is there: place in the list from 1, number, id, currency, exponent,
--       status, balance, held, min_balance or NULL, version, revision, head, block, time of the
--       newest entry or NULL.
-- Locks: none.
SELECT STRAIGHT_JOIN
  asked.position,
  wallets.number, wallets.id, wallets.currency, wallets.exponent, wallets.status,
  wallets.balance, wallets.held, wallets.min_balance, wallets.version, wallets.revision,
  wallets.head, wallets.block, wallets.last_entry_at
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (
    position FOR ORDINALITY,
    id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$'
  )
) AS asked
JOIN mizan_wallets AS wallets ON wallets.id = asked.id;
