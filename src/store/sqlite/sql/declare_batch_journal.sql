-- The columns of the table-valued view of the rows that a batch adds to the journal. Handed to
-- sqlite3_declare_vtab, which takes the name for a placeholder.
-- Parameters: none. Rows: none. Locks: none.
CREATE TABLE batch (
  operation_id, fingerprint, type, at, from_wallet, to_wallet, amount, from_balance, from_version,
  to_balance, to_version, links, subject, refusal, metadata
);
