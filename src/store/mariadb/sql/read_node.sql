-- Whether a node's session is as it was told to be.
-- Parameters: none. Rows: one: wsrep_sync_wait, wsrep_trx_fragment_size. Locks: none.
SELECT
  CAST(@@SESSION.wsrep_sync_wait AS SIGNED),
  CAST(@@SESSION.wsrep_trx_fragment_size AS SIGNED);
