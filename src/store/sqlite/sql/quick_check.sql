-- Looks for damage in the file's structure. Reads every page.
-- Parameters: none. Rows: "ok", or up to 5 findings. Locks: shared.
PRAGMA quick_check(5);
