-- Is the transaction on a Galera cluster still the one that begin_node began? An error (1305) where
-- it is not. In either case it can only be rolled back.
-- Parameters: none. Rows: none. Locks: none.
RELEASE SAVEPOINT begun;
