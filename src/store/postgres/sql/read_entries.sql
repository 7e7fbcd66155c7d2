-- Entries of a wallet along its chain, newest first.
-- Parameters: 1 wallet number, 2 sequence of the first one, 3 number of rows, 4 time before which
--             the chain is left or NULL.
-- Rows: sequence, is a debit, type, at, amount, balance, version, counterparty's id or NULL for
--       @world, operation_id, metadata or NULL. Locks: shared.
WITH RECURSIVE chain AS (
  SELECT
    1::bigint AS position,
    journal.sequence,
    journal.at,
    CASE
      WHEN journal.from_wallet = $1::bigint THEN journal.from_previous
      ELSE journal.to_previous
    END AS previous
  FROM mizan.journal
  WHERE journal.sequence = $2::bigint
  UNION ALL
  SELECT
    chain.position + 1,
    further.sequence,
    further.at,
    CASE
      WHEN further.from_wallet = $1::bigint THEN further.from_previous
      ELSE further.to_previous
    END
  FROM chain
  JOIN mizan.journal AS further ON further.sequence = chain.previous
  WHERE chain.position < $3::bigint
    AND ($4::timestamptz IS NULL OR chain.at >= $4::timestamptz)
)
SELECT
  journal.sequence,
  journal.from_wallet = $1::bigint,
  journal.type,
  journal.at,
  journal.amount,
  CASE WHEN journal.from_wallet = $1::bigint THEN journal.from_balance ELSE journal.to_balance END,
  CASE WHEN journal.from_wallet = $1::bigint THEN journal.from_version ELSE journal.to_version END,
  counterparties.id,
  operation.operation_id,
  operation.metadata
FROM chain
JOIN mizan.journal ON journal.sequence = chain.sequence
LEFT JOIN mizan.wallets AS counterparties ON counterparties.number = CASE
  WHEN journal.from_wallet = $1::bigint THEN journal.to_wallet
  ELSE journal.from_wallet
END
LEFT JOIN LATERAL (
  SELECT first.operation_id, first.metadata FROM mizan.journal AS first
  WHERE first.sequence <= chain.sequence AND first.operation_id IS NOT NULL
  ORDER BY first.sequence DESC LIMIT 1
) AS operation ON true
WHERE $4::timestamptz IS NULL OR chain.at >= $4::timestamptz
ORDER BY chain.position;
