-- A wallet's newest entry with at most this version, found along its chain of entries.
-- Parameters: 1 wallet number, 2 sequence of the wallet's newest entry, 3 version.
-- Rows: one or none: sequence, version, balance, at. Locks: shared.
WITH RECURSIVE chain AS (
  SELECT
    journal.sequence,
    journal.at,
    CASE
      WHEN journal.from_wallet = $1::bigint THEN journal.from_version
      ELSE journal.to_version
    END AS version,
    CASE
      WHEN journal.from_wallet = $1::bigint THEN journal.from_balance
      ELSE journal.to_balance
    END AS balance,
    CASE
      WHEN journal.from_wallet = $1::bigint THEN journal.from_previous
      ELSE journal.to_previous
    END AS previous,
    CASE
      WHEN journal.from_wallet = $1::bigint THEN journal.from_jump
      ELSE journal.to_jump
    END AS jump
  FROM mizan.journal
  WHERE journal.sequence = $2::bigint
  UNION ALL
  SELECT
    further.sequence,
    further.at,
    CASE
      WHEN further.from_wallet = $1::bigint THEN further.from_version
      ELSE further.to_version
    END,
    CASE
      WHEN further.from_wallet = $1::bigint THEN further.from_balance
      ELSE further.to_balance
    END,
    CASE
      WHEN further.from_wallet = $1::bigint THEN further.from_previous
      ELSE further.to_previous
    END,
    CASE WHEN further.from_wallet = $1::bigint THEN further.from_jump ELSE further.to_jump END
  FROM chain
  LEFT JOIN mizan.journal AS jumped ON jumped.sequence = chain.jump
  JOIN mizan.journal AS further ON further.sequence = CASE
    WHEN CASE
      WHEN jumped.from_wallet = $1::bigint THEN jumped.from_version
      ELSE jumped.to_version
    END >= $3::bigint THEN chain.jump
    ELSE chain.previous
  END
  WHERE NOT chain.version <= $3::bigint
)
SELECT sequence, version, balance, at FROM chain WHERE chain.version <= $3::bigint;
