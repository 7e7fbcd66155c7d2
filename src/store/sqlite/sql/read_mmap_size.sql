-- Bytes of the file that this connection may map into memory; must be 0.
-- Parameters: none. Rows: one, or none where mapping was compiled out. Locks: none.
PRAGMA mmap_size;
