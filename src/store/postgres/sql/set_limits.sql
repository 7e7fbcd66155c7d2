-- Bounds what is left of this transaction, and nothing after it: behind a pooler the connection is
-- somebody else's then. A commit is never acknowledged before it is on disk, whatever the default.
-- Parameters: 1 time for a statement and for a lock (text, milliseconds), 2 time in which the
--             client may say nothing (text, milliseconds).
-- Rows: one, of no interest. Locks: none.
SELECT
  set_config('statement_timeout', $1::text, true),
  set_config('lock_timeout', $1::text, true),
  set_config('idle_in_transaction_session_timeout', $2::text, true),
  set_config(
    'synchronous_commit',
    CASE current_setting('synchronous_commit')
      WHEN 'off' THEN 'on'
      ELSE current_setting('synchronous_commit')
    END,
    true
  );
