-- The ledger. docs/reference/sqlite-schema.md explains every table for people who look.
--
-- Amounts are minor units; times are microseconds since 1970-01-01 UTC; wallet number 0 stands for
-- the @world wallet of the other side's currency. The CHECKs are a second net under the money
-- rules: one that fails is a bug of ours, and the transaction is rolled back.

CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE currencies (
  code TEXT PRIMARY KEY CHECK (length(code) BETWEEN 3 AND 10),
  exponent INTEGER NOT NULL CHECK (exponent BETWEEN 0 AND 18)
) STRICT, WITHOUT ROWID;

-- What rarely changes of a wallet.
CREATE TABLE wallets (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  currency TEXT NOT NULL,
  exponent INTEGER NOT NULL CHECK (exponent BETWEEN 0 AND 18),
  created_at INTEGER NOT NULL,
  metadata TEXT
) STRICT;

-- What every write to a wallet changes: kept small, so that a batch touches few pages.
-- `revision` guards the row; `head` and `block` are where its chain of entries begins: the newest
-- entry, and the newest one whose version is a multiple of 16 (journal.sequence; 0: none).
CREATE TABLE balances (
  wallet INTEGER PRIMARY KEY REFERENCES wallets (number),
  balance INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  min_balance INTEGER,
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
  version INTEGER NOT NULL CHECK (version >= 0),
  revision INTEGER NOT NULL,
  head INTEGER NOT NULL,
  block INTEGER NOT NULL,
  CHECK (min_balance IS NULL OR balance - held >= min_balance),
  CHECK (status <> 2 OR (balance = 0 AND held = 0))
) STRICT;

-- One row per leg, in commit order, only ever appended. The first row of an operation carries its
-- id, fingerprint, subject, refusal and metadata; rows of its further legs follow at once and have
-- no id. An operation without legs (hold, void, a stored refusal) is one row without an amount.
-- The journal is the outbox too: events are read from it in order of `sequence`.
CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY,
  operation_id ANY,
  fingerprint BLOB,
  type INTEGER NOT NULL,
  at INTEGER NOT NULL,
  from_wallet INTEGER,
  to_wallet INTEGER,
  amount INTEGER CHECK (amount > 0),
  from_balance INTEGER,
  from_version INTEGER,
  to_balance INTEGER,
  to_version INTEGER,
  links BLOB,
  subject TEXT,
  refusal TEXT,
  metadata TEXT,
  CHECK (from_wallet <> to_wallet)
) STRICT;

CREATE UNIQUE INDEX journal_operation ON journal (operation_id) WHERE operation_id IS NOT NULL;

CREATE TABLE holds (
  id TEXT PRIMARY KEY,
  wallet INTEGER NOT NULL REFERENCES wallets (number),
  to_wallet INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  captured INTEGER NOT NULL CHECK (captured BETWEEN 0 AND amount),
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 3),
  expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX holds_due ON holds (expires_at) WHERE status = 0 AND expires_at IS NOT NULL;

-- What each hold, capture or void left of its hold, for its receipt: the hold itself goes on. By
-- the operation's first row of the journal, which the many operations without a hold leave as small
-- as it is.
CREATE TABLE hold_states (
  sequence INTEGER PRIMARY KEY REFERENCES journal (sequence),
  captured INTEGER NOT NULL CHECK (captured >= 0),
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2)
) STRICT;

-- Every operation that was reversed, at most once.
CREATE TABLE reversals (
  operation TEXT PRIMARY KEY,
  reversed_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest token that was applied, per resource.
CREATE TABLE fences (
  resource TEXT PRIMARY KEY,
  token INTEGER NOT NULL CHECK (token >= 0),
  owner TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The lock service's leases. A row is never deleted: its token must not be granted again.
CREATE TABLE leases (
  resource TEXT PRIMARY KEY,
  token INTEGER NOT NULL CHECK (token > 0),
  owner TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest epoch that a lock service outside of the file drew for its tokens; at most one row.
CREATE TABLE lock_epoch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL CHECK (epoch > 0)
) STRICT;

-- What the guard admitted: operations of the user's own SQL.
CREATE TABLE admissions (
  id TEXT PRIMARY KEY,
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
  result TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- For people who look with a shell; nothing of the program reads the views.
CREATE VIEW operations AS
SELECT
  sequence,
  CASE typeof(operation_id)
    WHEN 'blob' THEN lower(printf('%s-%s-%s-%s-%s',
      substr(hex(operation_id), 1, 8), substr(hex(operation_id), 9, 4),
      substr(hex(operation_id), 13, 4), substr(hex(operation_id), 17, 4),
      substr(hex(operation_id), 21)))
    ELSE operation_id
  END AS id,
  CASE type
    WHEN 1 THEN 'transfer' WHEN 2 THEN 'deposit' WHEN 3 THEN 'withdraw' WHEN 4 THEN 'hold'
    WHEN 5 THEN 'capture' WHEN 6 THEN 'void' WHEN 7 THEN 'reverse' ELSE type
  END AS type,
  CASE WHEN refusal IS NULL THEN 'applied' ELSE 'refused' END AS outcome,
  strftime('%Y-%m-%dT%H:%M:%S', at / 1000000, 'unixepoch') || printf('.%06dZ', at % 1000000) AS at,
  CASE type WHEN 5 THEN subject WHEN 6 THEN subject END AS hold,
  CASE type WHEN 7 THEN subject END AS reverses,
  refusal,
  metadata
FROM journal
WHERE operation_id IS NOT NULL;

CREATE VIEW entries AS
WITH sides AS (
  SELECT sequence, at, from_wallet AS wallet, to_wallet AS other, from_version AS version,
    -amount AS change, from_balance AS balance
  FROM journal WHERE from_wallet > 0
  UNION ALL
  SELECT sequence, at, to_wallet, from_wallet, to_version, amount, to_balance
  FROM journal WHERE to_wallet > 0
)
SELECT
  wallets.id AS wallet,
  sides.version,
  (SELECT id FROM operations WHERE operations.sequence <= sides.sequence
   ORDER BY operations.sequence DESC LIMIT 1) AS operation,
  (SELECT type FROM operations WHERE operations.sequence <= sides.sequence
   ORDER BY operations.sequence DESC LIMIT 1) AS type,
  sides.change,
  sides.balance,
  wallets.currency,
  coalesce(counterparties.id, '@world/' || wallets.currency) AS counterparty,
  strftime('%Y-%m-%dT%H:%M:%S', sides.at / 1000000, 'unixepoch')
    || printf('.%06dZ', sides.at % 1000000) AS at,
  sides.sequence
FROM sides
JOIN wallets ON wallets.number = sides.wallet
LEFT JOIN wallets AS counterparties ON counterparties.number = sides.other;

PRAGMA application_id = 1296652878;
PRAGMA user_version = 1;
