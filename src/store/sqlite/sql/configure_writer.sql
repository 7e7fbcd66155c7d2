-- Settings of the one writing connection. {cache_kib}: a number, put in before it runs.
-- secure_delete is off because nothing secret is deleted and it doubles the work of a write;
-- mmap is off because SQLite before 3.51.3 is not safe with it when the WAL is reset.
-- Parameters: none. Rows: the resulting mode. Locks: exclusive for a moment on a new file.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA mmap_size = 0;
PRAGMA secure_delete = OFF;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_spill = OFF;
PRAGMA cache_size = -{cache_kib};
