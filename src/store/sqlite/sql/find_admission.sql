-- What is recorded under a guarded operation's id.
-- Parameters: 1 operation id (text). Rows: one or none: fingerprint, result. Locks: shared.
SELECT fingerprint, result FROM admissions WHERE id = ?1;
