-- Begins a writing transaction on a Galera cluster, with a mark that goes when it goes. One that
-- another node's change overtakes is rolled back by the server, maybe at the end of a statement
-- that says it went well; the statements that follow would be a transaction of their own.
-- Parameters: none. Rows: none. Locks: none yet.
BEGIN NOT ATOMIC
  START TRANSACTION READ WRITE;
  SAVEPOINT begun;
END;
