-- Writes the first page anew, as it is, in a transaction of its own: the WAL's frames of a commit
-- that failed are then no longer a continuation of what is committed, and no recovery finds them.
-- Parameters: none. Rows: none. Locks: write.
PRAGMA application_id = 1296652878;
