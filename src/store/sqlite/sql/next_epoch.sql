-- Draws the next epoch of the lock services: above a given one and above every one drawn before.
-- Parameters: 1 above. Rows: one: epoch; none where the greatest one is used up. Locks: write.
INSERT INTO lock_epoch (id, epoch)
SELECT 1, ?1 + 1 WHERE ?1 < 9223372036854775807
ON CONFLICT (id) DO UPDATE SET epoch = max(lock_epoch.epoch + 1, excluded.epoch)
WHERE lock_epoch.epoch < 9223372036854775807
RETURNING epoch;
