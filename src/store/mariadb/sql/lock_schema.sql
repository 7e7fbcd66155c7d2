-- One node migrates, the others wait for it. The lock is the session's and no transaction's: a
-- change of a table commits.
-- Parameters: 1 prefix of the tables, 2 seconds to wait.
-- Rows: one: 1 where it was taken in time. Locks: a named one, until unlock_schema.
SELECT GET_LOCK(SHA1(CONCAT_WS(' ', 'mizan migrations', DATABASE(), ?)), ?);
