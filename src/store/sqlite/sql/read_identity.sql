-- What kind of file this is.
-- Parameters: none.
-- Rows: one: application_id, user_version (of the schema), number of schema objects.
-- Locks: shared.
SELECT
  (SELECT application_id FROM pragma_application_id),
  (SELECT user_version FROM pragma_user_version),
  (SELECT count(*) FROM sqlite_schema);
