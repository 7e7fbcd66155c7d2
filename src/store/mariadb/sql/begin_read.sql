-- Begins a reading transaction; its view is fixed now.
-- Parameters: none. Rows: none. Locks: none.
START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY;
