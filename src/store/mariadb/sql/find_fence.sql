-- The newest token applied for a resource.
-- Parameters: 1 resource. Rows: one or none: token, owner. Locks: none.
SELECT token, owner FROM mizan_fences WHERE resource = ?;
