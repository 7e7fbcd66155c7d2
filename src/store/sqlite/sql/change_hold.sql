-- Changes a hold that still is what was read; must change one row.
-- Parameters: 1 id, 2 captured after, 3 status after, 4 captured before, 5 status before.
-- Rows: none. Locks: write.
UPDATE holds SET captured = ?2, status = ?3 WHERE id = ?1 AND captured = ?4 AND status = ?5;
