-- The settings that matter for money, as they are in effect on this connection.
-- Parameters: none.
-- Rows: one: journal_mode, synchronous, foreign_keys, secure_delete, trusted_schema,
--       cell_size_check, page_size.
-- Locks: shared.
SELECT
  (SELECT journal_mode FROM pragma_journal_mode),
  (SELECT synchronous FROM pragma_synchronous),
  (SELECT foreign_keys FROM pragma_foreign_keys),
  (SELECT secure_delete FROM pragma_secure_delete),
  (SELECT trusted_schema FROM pragma_trusted_schema),
  (SELECT cell_size_check FROM pragma_cell_size_check),
  (SELECT page_size FROM pragma_page_size);
