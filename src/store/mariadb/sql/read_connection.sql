-- What stands at the other end of a new connection, and whether it does what it was told.
-- Parameters: none.
-- Rows: one: session's number, version, sql_mode, isolation, autocommit, character set of the
--       connection, max_allowed_packet; wsrep_on, wsrep_provider, wsrep_cluster_state_uuid,
--       wsrep_cluster_status, each NULL where the server knows nothing of clusters. Locks: none.
SELECT
  CONNECTION_ID(),
  VERSION(),
  @@SESSION.sql_mode,
  @@SESSION.tx_isolation,
  @@SESSION.autocommit,
  @@SESSION.character_set_connection,
  @@GLOBAL.max_allowed_packet,
  (
    SELECT variable_value FROM information_schema.SESSION_VARIABLES
    WHERE LOWER(variable_name) = 'wsrep_on'
  ),
  (
    SELECT variable_value FROM information_schema.GLOBAL_VARIABLES
    WHERE LOWER(variable_name) = 'wsrep_provider'
  ),
  (
    SELECT variable_value FROM information_schema.GLOBAL_STATUS
    WHERE LOWER(variable_name) = 'wsrep_cluster_state_uuid'
  ),
  (
    SELECT variable_value FROM information_schema.GLOBAL_STATUS
    WHERE LOWER(variable_name) = 'wsrep_cluster_status'
  );
