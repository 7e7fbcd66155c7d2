-- A hold with the ids of its wallets.
-- Parameters: 1 hold id (text).
-- Rows: one or none: id, wallet, to_wallet (0: @world), amount, captured, status, expires_at or
--       NULL, created_at, wallet's id, target's id or NULL, currency. Locks: none.
SELECT
  holds.id, holds.wallet, holds.to_wallet, holds.amount, holds.captured, holds.status,
  holds.expires_at, holds.created_at, wallets.id, targets.id, wallets.currency
FROM mizan_holds AS holds
JOIN mizan_wallets AS wallets ON wallets.number = holds.wallet
LEFT JOIN mizan_wallets AS targets ON targets.number = holds.to_wallet
WHERE holds.id = ?;
