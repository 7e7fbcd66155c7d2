-- The settings that matter for money, as they are for everybody; a server may lack some of them.
-- Parameters: none. Rows: name in lower case, value. Locks: none.
SELECT LOWER(variable_name), variable_value
FROM information_schema.GLOBAL_VARIABLES
WHERE LOWER(variable_name) IN (
  'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'sql_mode', 'tx_isolation',
  'innodb_doublewrite', 'read_only', 'max_connections', 'max_allowed_packet', 'wsrep_on',
  'binlog_format'
);
