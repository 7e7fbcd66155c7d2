-- The currencies that the user registered, in order of code.
-- Parameters: none. Rows: code, exponent. Locks: shared.
SELECT code, exponent FROM mizan.currencies ORDER BY code;
