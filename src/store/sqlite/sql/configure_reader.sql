-- Settings of a connection that only reads. {cache_kib}: a number, put in before it runs.
-- Parameters: none. Rows: none. Locks: none.
PRAGMA query_only = ON;
PRAGMA mmap_size = 0;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA temp_store = MEMORY;
PRAGMA wal_autocheckpoint = 0;
PRAGMA cache_size = -{cache_kib};
