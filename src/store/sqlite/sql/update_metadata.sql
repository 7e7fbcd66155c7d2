-- Replaces a wallet's metadata; must change one row.
-- Parameters: 1 wallet number, 2 metadata or NULL. Rows: none. Locks: write.
UPDATE wallets SET metadata = ?2 WHERE number = ?1;
