-- As set_limits, and lets the statements of this transaction, and nothing after it, find their rows
-- by index, one after the other in the order of the arrays that name them: the order of locks
-- depends on it, and the server would read the whole of a table that it takes for small. Prepared
-- statements are planned once, not anew for each length of the arrays.
-- Parameters: as set_limits. Rows: one, of no interest. Locks: none.
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
  ),
  set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('jit', 'off', true);
