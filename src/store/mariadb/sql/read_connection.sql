-- What stands at the other end of a new connection, and whether it does what it was told.
-- Parameters: none.
-- Rows: one: session's number, version, sql_mode, isolation, autocommit, character set of the
--       connection, max_allowed_packet. Locks: none.
SELECT
  CONNECTION_ID(),
  VERSION(),
  @@SESSION.sql_mode,
  @@SESSION.tx_isolation,
  @@SESSION.autocommit,
  @@SESSION.character_set_connection,
  @@GLOBAL.max_allowed_packet;
