-- What remains of open holds whose deadline has passed, per wallet.
-- Parameters: 1 now. Rows: wallet's id, remaining. Locks: shared.
SELECT wallets.id, sum(holds.amount - holds.captured)::bigint
FROM mizan.holds
JOIN mizan.wallets ON wallets.number = holds.wallet
WHERE holds.status = 0 AND holds.expires_at IS NOT NULL AND holds.expires_at <= $1::timestamptz
GROUP BY wallets.id;
