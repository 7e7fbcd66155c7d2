-- The revisions of wallets, to see which are still those that were read.
-- Parameters: 1 numbers (array). Rows: number, revision. Locks: shared.
SELECT number, revision FROM mizan.wallets WHERE number = ANY ($1::bigint[]);
