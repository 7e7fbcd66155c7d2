-- The newest epoch of the lock services.
-- Parameters: none. Rows: one: epoch. Locks: none.
SELECT epoch FROM mizan_lock_epoch WHERE id = 1;
