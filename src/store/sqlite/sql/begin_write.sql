-- Begins a writing transaction and takes the write lock at once: a transaction that read first
-- could not get it any more (SQLITE_BUSY_SNAPSHOT).
-- Parameters: none. Rows: none. Locks: write.
BEGIN IMMEDIATE;
