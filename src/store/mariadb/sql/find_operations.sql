-- The first journal rows of operations, each with its first leg.
-- Parameters: 1 operation ids as the journal stores them (list of hexadecimal digits).
-- Rows: one for each that is recorded: place in the list from 1, sequence, fingerprint, type, at,
--       subject, refusal, metadata, what it left of its hold: captured and status or NULL, whether
--       it has further legs, from id or NULL for @world, to id or NULL, currency, amount or NULL
--       (no legs), from_balance, from_version, to_balance, to_version. Locks: none.
SELECT STRAIGHT_JOIN
  asked.position, journal.sequence, journal.fingerprint, journal.type, journal.at,
  journal.subject, journal.refusal, journal.metadata, journal.hold_captured,
  journal.hold_status, further.sequence IS NOT NULL, sources.id, targets.id,
  COALESCE(sources.currency, targets.currency), journal.amount, journal.from_balance,
  journal.from_version, journal.to_balance, journal.to_version
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, digits VARCHAR(128) CHARACTER SET latin1 PATH '$')
) AS asked
JOIN mizan_journal AS journal ON journal.operation_id = UNHEX(asked.digits)
LEFT JOIN mizan_wallets AS sources ON sources.number = journal.from_wallet
LEFT JOIN mizan_wallets AS targets ON targets.number = journal.to_wallet
LEFT JOIN mizan_journal AS further
  ON further.sequence = journal.sequence + 1 AND further.leg > 0;
