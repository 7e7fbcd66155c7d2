-- Settings of a file that is still empty; they cannot change later.
-- Parameters: none. Rows: none. Locks: none.
PRAGMA page_size = 4096;
PRAGMA auto_vacuum = NONE;
