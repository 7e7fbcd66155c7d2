-- What is recorded under a guarded operation's id.
-- Parameters: 1 operation id. Rows: one or none: fingerprint, result. Locks: shared.
SELECT fingerprint, result FROM mizan.admissions WHERE id = $1::text;
