-- Where an entry jumps to.
-- Parameters: 1 wallet number, 2 sequence. Rows: one or none: sequence. Locks: none.
SELECT IF(to_wallet = ?, to_jump, from_jump) FROM mizan_journal WHERE sequence = ?;
