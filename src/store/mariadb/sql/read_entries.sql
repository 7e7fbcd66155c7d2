-- Entries of a wallet along its chain, newest first.
-- Parameters: 1 wallet number, 2 sequence of the first one, 3 number of rows, 4 time before which
--   the chain is left, or NULL.
-- Rows: sequence, is a debit, type, at, amount, balance, version, counterparty's id or NULL for
--       @world, operation_id, metadata or NULL. Locks: none.
WITH RECURSIVE chain AS (
  SELECT
    asked.wallet,
    asked.number_of_rows,
    asked.since,
    1 AS position,
    journal.sequence,
    journal.at,
    IF(journal.from_wallet = asked.wallet, journal.from_previous, journal.to_previous) AS previous
  FROM (
    SELECT
      CAST(? AS SIGNED) AS wallet,
      CAST(? AS SIGNED) AS head,
      CAST(? AS SIGNED) AS number_of_rows,
      CAST(? AS SIGNED) AS since
  ) AS asked
  JOIN mizan_journal AS journal ON journal.sequence = asked.head
  UNION ALL
  SELECT
    chain.wallet,
    chain.number_of_rows,
    chain.since,
    chain.position + 1,
    further.sequence,
    further.at,
    IF(further.from_wallet = chain.wallet, further.from_previous, further.to_previous)
  FROM chain
  JOIN mizan_journal AS further ON further.sequence = chain.previous
  WHERE chain.position < chain.number_of_rows AND (chain.since IS NULL OR chain.at >= chain.since)
)
SELECT
  journal.sequence,
  journal.from_wallet = chain.wallet,
  journal.type,
  journal.at,
  journal.amount,
  IF(journal.from_wallet = chain.wallet, journal.from_balance, journal.to_balance),
  IF(journal.from_wallet = chain.wallet, journal.from_version, journal.to_version),
  counterparties.id,
  operation.operation_id,
  operation.metadata
FROM chain
JOIN mizan_journal AS journal ON journal.sequence = chain.sequence
LEFT JOIN mizan_wallets AS counterparties
  ON counterparties.number = IF(
    journal.from_wallet = chain.wallet,
    journal.to_wallet,
    journal.from_wallet
  )
LEFT JOIN mizan_journal AS operation ON operation.sequence = journal.sequence - journal.leg
WHERE chain.since IS NULL OR chain.at >= chain.since
ORDER BY chain.position;
