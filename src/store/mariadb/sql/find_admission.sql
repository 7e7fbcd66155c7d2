-- What is recorded under a guarded operation's id.
-- Parameters: 1 operation id. Rows: one or none: fingerprint, result. Locks: none.
SELECT fingerprint, result FROM mizan_admissions WHERE id = ?;
