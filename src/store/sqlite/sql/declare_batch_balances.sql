-- The columns of the table-valued view of the balances that a batch writes. Handed to
-- sqlite3_declare_vtab, which takes the name for a placeholder.
-- Parameters: none. Rows: none. Locks: none.
CREATE TABLE batch (
  wallet, balance, held, min_balance, status, version, revision, head, block
);
