-- The legs of operations from the second one on. They follow the first row at once; each is looked
-- up by its sequence: the server reads a range per operation by planning anew for each.
-- Parameters: 1 sequences of their first rows (list).
-- Rows: place in the list from 1, from id or NULL for @world, to id or NULL, currency, amount,
--       from_balance, from_version, to_balance, to_version; leg after leg. Locks: none.
WITH RECURSIVE legs AS (
  SELECT asked.position, asked.sequence + 1 AS sequence
  FROM JSON_TABLE(
    ?,
    '$[*]' COLUMNS (position FOR ORDINALITY, sequence BIGINT PATH '$')
  ) AS asked
  UNION ALL
  SELECT legs.position, journal.sequence + 1
  FROM legs
  JOIN mizan_journal AS journal ON journal.sequence = legs.sequence AND journal.leg > 0
)
SELECT
  legs.position, sources.id, targets.id, COALESCE(sources.currency, targets.currency),
  journal.amount, journal.from_balance, journal.from_version,
  journal.to_balance, journal.to_version
FROM legs
JOIN mizan_journal AS journal ON journal.sequence = legs.sequence AND journal.leg > 0
LEFT JOIN mizan_wallets AS sources ON sources.number = journal.from_wallet
LEFT JOIN mizan_wallets AS targets ON targets.number = journal.to_wallet
ORDER BY legs.sequence;
