-- Makes the transaction durable (synchronous = FULL: after the WAL is on disk).
-- Parameters: none. Rows: none. Locks: gives all back.
COMMIT;
