-- Records a guarded operation; its result follows. Changes no row where the id is known.
-- Parameters: 1 operation id (text), 2 fingerprint (16 bytes), 3 now (microseconds).
-- Rows: none. Locks: write.
INSERT INTO admissions (id, fingerprint, result, at) VALUES (?1, ?2, '', ?3)
ON CONFLICT (id) DO NOTHING;
