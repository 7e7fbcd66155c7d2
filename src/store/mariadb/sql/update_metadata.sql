-- Replaces a wallet's metadata; must change one row.
-- Parameters: 1 metadata or NULL, 2 wallet number. Rows: none. Locks: the row.
UPDATE mizan_wallets SET metadata = ? WHERE number = ?;
