-- A currency that the user registered.
-- Parameters: 1 code. Rows: one or none: code, exponent. Locks: shared.
SELECT code, exponent FROM mizan.currencies WHERE code = $1::text;
