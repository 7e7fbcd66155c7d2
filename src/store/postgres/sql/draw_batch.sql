-- The number of a transaction that writes to the journal; to be drawn after everything was read
-- that it continues.
-- Parameters: none. Rows: one: the number. Locks: none.
SELECT nextval('mizan.batches');
