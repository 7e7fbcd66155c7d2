-- A currency that the user registered.
-- Parameters: 1 code. Rows: one or none: code, exponent. Locks: none.
SELECT code, exponent FROM mizan_currencies WHERE code = ?;
