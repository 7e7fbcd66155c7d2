-- Changes a balance where everything that the caller demands holds, checked by the same statement.
-- An addition that leaves 64 bits becomes a float in SQLite, hence typeof.
-- Parameters: 1 wallet id (text), 2 change of balance, 3 change of held, 4 currency or '' for any,
--             5 must be active (0, 1), 6 must have the funds (0, 1), 7 version it must have or
--             NULL, 8 entries added (0, 1).
-- Rows: one or none: the wallet's number, balance, held, min_balance or NULL, status, version,
--       revision, head, block after.
-- Locks: write.
UPDATE balances SET
  balance = balance + ?2,
  held = held + ?3,
  version = version + ?8,
  revision = revision + 1
WHERE
  wallet = (
    SELECT number FROM wallets WHERE id = ?1 AND (?4 = '' OR currency = ?4)
  )
  AND (?5 = 0 OR status = 0)
  AND (?7 IS NULL OR version = ?7)
  AND typeof(balance + ?2) = 'integer'
  AND typeof(held + ?3) = 'integer'
  AND held + ?3 >= 0
  AND typeof(balance + ?2 - (held + ?3)) = 'integer'
  AND (?6 = 0 OR min_balance IS NULL OR balance + ?2 - (held + ?3) >= min_balance)
RETURNING wallet, balance, held, min_balance, status, version, revision, head, block;
