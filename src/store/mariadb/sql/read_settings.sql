-- The settings that matter for money, as they are for everybody; a server may lack some of them.
-- Parameters: none. Rows: name in lower case, value. Locks: none.
SELECT LOWER(variable_name), variable_value
FROM information_schema.GLOBAL_VARIABLES
WHERE LOWER(variable_name) IN (
  'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'sql_mode', 'tx_isolation',
  'innodb_doublewrite', 'read_only', 'max_connections', 'max_allowed_packet', 'binlog_format',
  'wsrep_on', 'wsrep_provider', 'wsrep_provider_options', 'wsrep_trx_fragment_size',
  'wsrep_osu_method', 'wsrep_auto_increment_control', 'auto_increment_increment'
);
