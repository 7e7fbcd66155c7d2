-- Keeps a new document; changes no row where there is one of that name.
-- Parameters: 1 kind, 2 name, 3 content. Rows: none. Locks: the row.
INSERT INTO mizan.documents (kind, name, revision, content) VALUES ($1::text, $2::text, 1, $3::text)
ON CONFLICT (kind, name) DO NOTHING;
