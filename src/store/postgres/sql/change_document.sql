-- Changes a document that still is what was read.
-- Parameters: 1 kind, 2 name, 3 content, 4 revision before. Rows: none. Locks: the row.
UPDATE mizan.documents SET revision = revision + 1, content = $3::text
WHERE kind = $1::text AND name = $2::text AND revision = $4::bigint;
