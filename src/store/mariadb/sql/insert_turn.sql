-- Makes the row that take_turn changes; nobody has the turn.
-- Parameters: none. Rows: none; a duplicate key where it is there. Locks: the row.
INSERT INTO mizan_schema_turns (id, owner, ends_at) VALUES (1, '', 0);
