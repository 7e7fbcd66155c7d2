-- Where a journal row's two sides go on.
-- Parameters: 1 sequence. Rows: one or none: to_wallet, links. Locks: shared.
SELECT to_wallet, links FROM journal WHERE sequence = ?1;
