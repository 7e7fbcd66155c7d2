-- The schema itself. Where the user may not create one, somebody else made it before.
-- Parameters: none. Rows: none. Locks: exclusive, for a moment.
CREATE SCHEMA IF NOT EXISTS mizan;
