-- Remembers that an operation was reversed; a primary key violation where it was before.
-- Parameters: 1 reversed operation (text), 2 reversed by (text). Rows: none. Locks: write.
INSERT INTO reversals (operation, reversed_by) VALUES (?1, ?2);
