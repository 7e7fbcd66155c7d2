-- Begins a writing transaction: each statement sees what was committed before it, and writes are
-- guarded by what they demand of the row.
-- Parameters: none. Rows: none. Locks: none yet.
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
