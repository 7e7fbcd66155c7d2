-- The settings that matter for money, as they are in effect.
-- Parameters: none.
-- Rows: one: fsync, full_page_writes, synchronous_commit, default_transaction_isolation,
--       server_encoding, is a standby, integer_datetimes, data_checksums, max_connections,
--       is a superuser. Locks: none.
SELECT
  current_setting('fsync'),
  current_setting('full_page_writes'),
  current_setting('synchronous_commit'),
  current_setting('default_transaction_isolation'),
  current_setting('server_encoding'),
  pg_is_in_recovery(),
  current_setting('integer_datetimes'),
  current_setting('data_checksums'),
  current_setting('max_connections'),
  current_setting('is_superuser');
