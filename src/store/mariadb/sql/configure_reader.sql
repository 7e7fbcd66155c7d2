-- A reader's transactions see one moment of the ledger from their beginning to their end.
-- Parameters: none. Rows: none. Locks: none.
SET SESSION tx_isolation = 'REPEATABLE-READ';
