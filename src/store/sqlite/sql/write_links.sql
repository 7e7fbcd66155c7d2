-- Moves the beginning of a wallet's chain of entries, where deltas have changed the rest before;
-- must change one row.
-- Parameters: 1 wallet number, 2 head, 3 block, 4 version and 5 balance that the row must have.
-- Rows: none. Locks: write.
UPDATE balances SET head = ?2, block = ?3 WHERE wallet = ?1 AND version = ?4 AND balance = ?5;
