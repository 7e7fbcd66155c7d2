-- Keeps a new document; changes no row where there is one of that name.
-- Parameters: 1 kind, 2 name, 3 content. Rows: none. Locks: write.
INSERT INTO documents (kind, name, revision, content) VALUES (?1, ?2, 1, ?3)
ON CONFLICT (kind, name) DO NOTHING;
