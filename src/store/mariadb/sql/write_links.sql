-- Moves the beginnings of wallets' chains of entries, where deltas have changed the rest before.
-- Parameters, many rows at once: 1 head, 2 block, 3 last_entry_at or NULL, 4 number, 5 version and
--   6 balance that the row must have.
-- Rows: none; must change as many as were given. Locks: the rows.
UPDATE mizan_wallets SET head = ?, block = ?, last_entry_at = ?
WHERE number = ? AND version = ? AND balance = ?;
