-- The currencies that the user registered, in order of code.
-- Parameters: none. Rows: code, exponent. Locks: none.
SELECT code, exponent FROM mizan_currencies ORDER BY code;
