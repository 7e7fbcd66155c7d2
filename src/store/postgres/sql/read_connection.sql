-- What stands at the other end of a new connection.
-- Parameters: none.
-- Rows: one: process id of the backend (another one than the handshake said: a pooler stands in
--       between), version as a number, version as text, server_encoding. Locks: none.
SELECT
  pg_backend_pid(),
  current_setting('server_version_num')::integer,
  current_setting('server_version'),
  current_setting('server_encoding');
