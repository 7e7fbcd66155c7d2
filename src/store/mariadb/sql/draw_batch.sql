-- The number of a transaction that writes to the journal. It may be used while it is above the
-- numbers of all entries that the transaction continues.
-- Parameters: none. Rows: one: the number. Locks: none.
SELECT NEXT VALUE FOR mizan_batches;
