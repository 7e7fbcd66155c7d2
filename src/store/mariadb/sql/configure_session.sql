-- What every statement of the ledger relies on, whatever the server's defaults: an amount that does
-- not fit is an error and never cut, a time is UTC, statements see what is committed, nothing
-- commits by itself, and a walk along a chain of entries may be long.
-- Parameters: none. Rows: none. Locks: none.
SET SESSION
  sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  time_zone = '+00:00',
  autocommit = 0,
  max_recursive_iterations = 100000000,
  tx_isolation = 'READ-COMMITTED',
  collation_connection = 'utf8mb4_nopad_bin';
