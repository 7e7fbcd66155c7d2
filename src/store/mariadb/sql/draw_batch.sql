-- The number of a transaction that writes to the journal; to be drawn while all its wallets are
-- locked.
-- Parameters: none. Rows: one: the number. Locks: none.
SELECT NEXT VALUE FOR mizan_batches;
