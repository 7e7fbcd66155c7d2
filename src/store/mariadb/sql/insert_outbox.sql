-- Tells the outbox of a transaction's rows in the journal. The tick is above that of each
-- transaction that this one can see there; to be run when its wallets are its own.
-- Parameters: 1 sequence of its first row, 2 number of its rows. Rows: none; must insert one.
-- Locks: none that anybody waits for.
INSERT INTO mizan_outbox (tick, first_sequence, row_count)
SELECT newest.tick + 1, ?, ?
FROM (SELECT COALESCE(MAX(tick), 0) AS tick FROM mizan_outbox) AS newest;
