-- Writes to wallets that were locked and are not changed, so that on a Galera cluster another
-- node's change of one and this transaction do not both commit: locks are a node's own, and what a
-- transaction has only read is not compared.
-- Parameters, many rows at once: 1 number.
-- Rows: none; must change as many as were given. Locks: the rows.
UPDATE mizan_wallets SET touched = touched + 1 WHERE number = ?;
