-- Moves the numbers of transactions beyond one that is in use: after a restore, or where several
-- nodes number by themselves. The server takes a literal only, so the number is written into the
-- text.
-- Parameters: 1 the number in use (a literal). Rows: one, of no interest. Locks: none.
SELECT SETVAL(mizan_batches, ?);
