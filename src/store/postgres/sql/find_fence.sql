-- The newest token applied for a resource.
-- Parameters: 1 resource. Rows: one or none: token, owner. Locks: shared.
SELECT token, owner FROM mizan.fences WHERE resource = $1::text;
