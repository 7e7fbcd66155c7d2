-- Records a guarded operation; its result follows. Changes no row where the id is known; waits for
-- a transaction under way that has the same id.
-- Parameters: 1 operation id, 2 fingerprint (16 bytes). Rows: none. Locks: the id.
INSERT INTO mizan.admissions (id, fingerprint, result, at) VALUES ($1, $2, '', clock_timestamp())
ON CONFLICT (id) DO NOTHING;
