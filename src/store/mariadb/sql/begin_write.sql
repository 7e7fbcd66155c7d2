-- Begins a writing transaction. The session reads committed: each statement sees what was committed
-- before it, and writes are guarded by what they demand of the row.
-- Parameters: none. Rows: none. Locks: none yet.
START TRANSACTION READ WRITE;
