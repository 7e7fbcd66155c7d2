-- The revision of a wallet, to see whether it is still the one that was read.
-- Parameters: 1 wallet number. Rows: one or none: revision. Locks: shared.
SELECT revision FROM balances WHERE wallet = ?1;
