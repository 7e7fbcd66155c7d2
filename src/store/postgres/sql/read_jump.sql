-- Where an entry jumps to.
-- Parameters: 1 sequence, 2 wallet number. Rows: one or none: sequence. Locks: shared.
SELECT CASE WHEN to_wallet = $2::bigint THEN to_jump ELSE from_jump END
FROM mizan.journal
WHERE sequence = $1::bigint;
