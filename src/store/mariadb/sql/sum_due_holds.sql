-- What remains of open holds whose deadline has passed, per wallet.
-- Parameters: 1 now. Rows: wallet's id, remaining. Locks: none.
SELECT wallets.id, CAST(SUM(holds.amount - holds.captured) AS SIGNED)
FROM mizan_holds AS holds
JOIN mizan_wallets AS wallets ON wallets.number = holds.wallet
WHERE holds.status = 0 AND holds.expires_at IS NOT NULL AND holds.expires_at <= ?
GROUP BY wallets.id;
