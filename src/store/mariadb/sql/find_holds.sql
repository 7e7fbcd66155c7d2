-- Holds with the ids of their wallets.
-- Parameters: 1 hold ids (list).
-- Rows: one for each that is there: id, wallet, to_wallet (0: @world), amount, captured, status,
--       expires_at or NULL, created_at, wallet's id, target's id or NULL, currency. Locks: none.
SELECT STRAIGHT_JOIN
  holds.id, holds.wallet, holds.to_wallet, holds.amount, holds.captured, holds.status,
  holds.expires_at, holds.created_at, wallets.id, targets.id, wallets.currency
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (
    position FOR ORDINALITY,
    id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$'
  )
) AS asked
JOIN mizan_holds AS holds ON holds.id = asked.id
JOIN mizan_wallets AS wallets ON wallets.number = holds.wallet
LEFT JOIN mizan_wallets AS targets ON targets.number = holds.to_wallet;
