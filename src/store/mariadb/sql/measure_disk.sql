-- Bytes that the ledger's tables and indexes take, as the server last counted them.
-- Parameters: 1 prefix of the tables, 2 the same. Rows: one: bytes. Locks: none.
SELECT CAST(COALESCE(SUM(data_length + index_length), 0) AS SIGNED)
FROM information_schema.TABLES
WHERE table_schema = DATABASE() AND LEFT(table_name, CHAR_LENGTH(?)) = ?;
