-- Changes holds that still are what was read.
-- Parameters, arrays of one length: 1 id, 2 captured after, 3 status after, 4 captured before,
--   5 status before.
-- Rows: the ids that were changed; must be all. Locks: the rows.
UPDATE mizan.holds SET captured = changed.captured, status = changed.status
FROM unnest($1::text[], $2::bigint[], $3::smallint[], $4::bigint[], $5::smallint[])
  AS changed (id, captured, status, captured_before, status_before)
WHERE holds.id = changed.id
  AND holds.captured = changed.captured_before
  AND holds.status = changed.status_before
RETURNING holds.id;
