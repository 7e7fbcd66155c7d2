-- Draws the next epoch of the lock services: above a given one and above every one drawn before.
-- Parameters: 1 above. Rows: one: epoch; none where the greatest one is used up. Locks: the row.
INSERT INTO mizan.lock_epoch AS known (id, epoch)
SELECT 1, $1::bigint + 1 WHERE $1::bigint < 9223372036854775807
ON CONFLICT (id) DO UPDATE SET epoch = greatest(known.epoch + 1, excluded.epoch)
WHERE known.epoch < 9223372036854775807
RETURNING epoch;
