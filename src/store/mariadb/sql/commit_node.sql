-- Makes the transaction durable on a Galera cluster, where it still is the one that begin_node
-- began; an error (1305) where it is not, and then nothing is committed.
-- Parameters: none. Rows: none. Locks: gives all back.
BEGIN NOT ATOMIC
  RELEASE SAVEPOINT begun;
  COMMIT;
END;
