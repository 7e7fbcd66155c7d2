-- Begins a reading transaction; its view is fixed by the first read.
-- Parameters: none. Rows: none. Locks: none yet.
BEGIN;
