-- Changes holds that still are what was read.
-- Parameters, many rows at once: 1 captured after, 2 status after, 3 id, 4 captured before,
--   5 status before.
-- Rows: none; must change as many as were given. Locks: the rows.
UPDATE mizan_holds SET captured = ?, status = ?
WHERE id = ? AND captured = ? AND status = ?;
