-- Begins a reading transaction; its view is fixed by the first query.
-- Parameters: none. Rows: none. Locks: none.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
