-- For looking at a node of a Galera cluster as it is: nothing is waited for, and it answers outside
-- of its cluster's majority too.
-- Parameters: none. Rows: none. Locks: none.
SET SESSION wsrep_sync_wait = 0, wsrep_dirty_reads = 1;
