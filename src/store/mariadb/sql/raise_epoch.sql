-- Draws the next epoch of the lock services: above a given one and above every one drawn before.
-- Parameters: 1 above, 2 the same.
-- Rows: none; changes no row where the greatest one is used up. Locks: the row.
UPDATE mizan_lock_epoch SET epoch = GREATEST(epoch, ?) + 1
WHERE id = 1 AND epoch < 9223372036854775807 AND ? < 9223372036854775807;
