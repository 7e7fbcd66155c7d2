-- Makes the transaction durable.
-- Parameters: none. Rows: none. Locks: gives all back.
COMMIT;
