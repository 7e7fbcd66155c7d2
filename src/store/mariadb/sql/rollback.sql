-- Undoes the transaction.
-- Parameters: none. Rows: none. Locks: gives all back.
ROLLBACK;
