-- A wallet's newest entry at or before this time, found along its chain of entries.
-- Parameters: 1 wallet number, 2 sequence of the wallet's newest entry, 3 time.
-- Rows: one or none: sequence, version, balance, at. Locks: none.
WITH RECURSIVE chain AS (
  SELECT
    asked.wallet,
    asked.wanted,
    journal.sequence,
    journal.at,
    IF(journal.from_wallet = asked.wallet, journal.from_version, journal.to_version) AS version,
    IF(journal.from_wallet = asked.wallet, journal.from_balance, journal.to_balance) AS balance,
    IF(journal.from_wallet = asked.wallet, journal.from_previous, journal.to_previous) AS previous,
    IF(journal.from_wallet = asked.wallet, journal.from_jump, journal.to_jump) AS jump
  FROM (
    SELECT CAST(? AS SIGNED) AS wallet, CAST(? AS SIGNED) AS head, CAST(? AS SIGNED) AS wanted
  ) AS asked
  JOIN mizan_journal AS journal ON journal.sequence = asked.head
  UNION ALL
  SELECT
    chain.wallet,
    chain.wanted,
    further.sequence,
    further.at,
    IF(further.from_wallet = chain.wallet, further.from_version, further.to_version),
    IF(further.from_wallet = chain.wallet, further.from_balance, further.to_balance),
    IF(further.from_wallet = chain.wallet, further.from_previous, further.to_previous),
    IF(further.from_wallet = chain.wallet, further.from_jump, further.to_jump)
  FROM chain
  LEFT JOIN mizan_journal AS jumped ON jumped.sequence = chain.jump
  JOIN mizan_journal AS further
    ON further.sequence = IF(
      jumped.at > chain.wanted,
      chain.jump,
      chain.previous
    )
  WHERE chain.at > chain.wanted
)
SELECT sequence, version, balance, at FROM chain WHERE chain.at <= chain.wanted;
