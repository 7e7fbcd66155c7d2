-- Records a guarded operation; its result follows. Waits for a transaction under way that has the
-- same id.
-- Parameters: 1 operation id, 2 fingerprint (16 bytes), 3 when (microseconds since 1970).
-- Rows: none; a duplicate key where the id is known. Locks: the id.
INSERT INTO mizan_admissions (id, fingerprint, result, at) VALUES (?, ?, '', ?);
