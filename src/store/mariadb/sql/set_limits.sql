-- Bounds the statements that follow: how long one may take, how long it may wait for a lock, and
-- how long the client may say nothing inside a transaction.
-- Parameters: 1 milliseconds, 2 seconds, 3 seconds (literals). Rows: none. Locks: none.
SET SESSION
  max_statement_time = ? / 1000.0,
  innodb_lock_wait_timeout = ?,
  idle_transaction_timeout = ?;
