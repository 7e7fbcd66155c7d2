-- Moves the beginning of a wallet's chain of entries; must change one row.
-- Parameters: 1 wallet number, 2 head, 3 block, 4 revision that the row must have.
-- Rows: none. Locks: write.
UPDATE balances SET head = ?2, block = ?3 WHERE wallet = ?1 AND revision = ?4;
