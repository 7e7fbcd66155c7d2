-- What the ledger needs of a node of a Galera cluster: a transaction begins when everything that
-- was committed on any node before is here too (bit 1: also for START TRANSACTION), and is sent to
-- the others as a whole.
-- Parameters: none. Rows: none. Locks: none.
SET SESSION wsrep_sync_wait = 1, wsrep_trx_fragment_size = 0, wsrep_dirty_reads = 0;
