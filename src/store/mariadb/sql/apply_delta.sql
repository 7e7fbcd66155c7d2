-- Changes a balance where everything that the caller demands holds, checked by the same statement.
-- Sums are compared beyond 64 bits, so that what would leave them is refused and no error. Each
-- column is computed from itself alone: assignments run from left to right.
-- Parameters: 1 change of balance, 2 change of held, 3 entries added (0, 1), 4 wallet id,
--   5 currency or '' for any, 6 the same, 7 must be active, 8 version it must have or NULL, 9 the
--   same, 10 change of balance, 11 change of held, 12 change of balance, 13 change of held,
--   14 must have the funds, 15 change of balance, 16 change of held.
-- Rows: none; changes one or none. Locks: the row.
UPDATE mizan_wallets SET
  balance = balance + ?,
  held = held + ?,
  version = version + ?,
  revision = revision + 1
WHERE id = ?
  AND (? = '' OR currency = ?)
  AND (? = 0 OR status = 0)
  AND (? IS NULL OR version = ?)
  AND CAST(balance AS DECIMAL(30)) + ? BETWEEN -9223372036854775808 AND 9223372036854775807
  AND CAST(held AS DECIMAL(30)) + ? BETWEEN 0 AND 9223372036854775807
  AND CAST(balance AS DECIMAL(30)) + ? - held - ?
    BETWEEN -9223372036854775808 AND 9223372036854775807
  AND (
    ? = 0
    OR min_balance IS NULL
    OR CAST(balance AS DECIMAL(30)) + ? - held - ? >= min_balance
  );
