-- The next node may migrate.
-- Parameters: 1 prefix of the tables. Rows: one, of no interest.
-- Locks: gives back that of lock_schema.
SELECT RELEASE_LOCK(SHA1(CONCAT_WS(' ', 'mizan migrations', DATABASE(), ?)));
