-- Changes a balance where everything that the caller demands holds, checked by the same statement.
-- Sums are compared beyond 64 bits, so that what would leave them is refused and no error.
-- Parameters: 1 wallet id, 2 change of balance, 3 change of held, 4 currency or '' for any,
--             5 must be active, 6 must have the funds, 7 version it must have or NULL, 8 entries
--             added (0, 1).
-- Rows: one or none: 0, number, id, currency, exponent, status, balance, held, min_balance or NULL,
--       version, revision, head, block, time of the newest entry or NULL; all but the time after
--       the change. Locks: the row, but not its key.
UPDATE mizan.wallets SET
  balance = balance + $2::bigint,
  held = held + $3::bigint,
  version = version + $8::bigint,
  revision = revision + 1
WHERE id = $1::text
  AND ($4::text = '' OR currency = $4::text)
  AND (NOT $5::boolean OR status = 0)
  AND ($7::bigint IS NULL OR version = $7::bigint)
  AND balance::numeric + $2::bigint BETWEEN -9223372036854775808 AND 9223372036854775807
  AND held::numeric + $3::bigint BETWEEN 0 AND 9223372036854775807
  AND balance::numeric + $2::bigint - held - $3::bigint
    BETWEEN -9223372036854775808 AND 9223372036854775807
  AND (
    NOT $6::boolean OR min_balance IS NULL
    OR balance::numeric + $2::bigint - held - $3::bigint >= min_balance
  )
RETURNING
  0::bigint, number, id, currency, exponent, status, balance, held, min_balance, version, revision,
  head, block, last_entry_at;
