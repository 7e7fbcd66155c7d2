-- Replaces a wallet's metadata; must change one row.
-- Parameters: 1 wallet number, 2 metadata or NULL. Rows: none. Locks: the row, but not its key.
UPDATE mizan.wallets SET metadata = $2::text WHERE number = $1::bigint;
