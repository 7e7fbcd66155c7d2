-- The ledger. docs/reference/postgres-schema.md explains every table for people who look.
--
-- Amounts are minor units; wallet number 0 stands for the @world wallet of the other side's
-- currency. The CHECKs are a second net under the money rules: one that fails is a bug of ours, and
-- the transaction is rolled back. `mizan` stands for the schema that the store was opened with.

CREATE TABLE mizan.currencies (
  code text COLLATE "C" PRIMARY KEY CHECK (length(code) BETWEEN 3 AND 10),
  exponent smallint NOT NULL CHECK (exponent BETWEEN 0 AND 18)
);

-- `revision` guards the row; `head` and `block` are where its chain of entries begins: the newest
-- entry, and the newest one whose version is a multiple of 16 (journal.sequence; 0: none).
-- No index has a column that changes and pages keep room, so that an update stays on its page and
-- touches no index.
CREATE TABLE mizan.wallets (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY CHECK (number > 0),
  balance bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  min_balance bigint,
  version bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  revision bigint NOT NULL DEFAULT 0,
  head bigint NOT NULL DEFAULT 0,
  block bigint NOT NULL DEFAULT 0,
  last_entry_at timestamptz,
  created_at timestamptz NOT NULL,
  status smallint NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
  exponent smallint NOT NULL CHECK (exponent BETWEEN 0 AND 18),
  currency text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  metadata text,
  CHECK (min_balance IS NULL OR balance - held >= min_balance),
  CHECK (status <> 2 OR (balance = 0 AND held = 0))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Numbers the transactions that write to the journal: `sequence` of a leg is this number times
-- 2^20 plus the leg's place in its transaction.
CREATE SEQUENCE mizan.journal_batches;

-- One row per leg, only ever appended. A transaction draws its number while it holds the locks of
-- its wallets, so that along one wallet `sequence` grows with the version. The first row of an
-- operation carries its id, fingerprint, subject, refusal, metadata and what it left of its hold;
-- rows of its further legs follow at once and have no id. An operation without legs (hold, void, a
-- stored refusal) is one row without an amount. An id that is a UUID is a byte 01 and its 16 bytes,
-- any other its text. `from_previous` and the like are where the side's chain of entries goes on
-- (sequence; 0: nowhere). `transaction_id` tells a reader of events which rows may still be
-- preceded by a transaction under way.
CREATE TABLE mizan.journal (
  sequence bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  from_wallet bigint,
  to_wallet bigint,
  amount bigint CHECK (amount > 0),
  from_balance bigint,
  from_version bigint,
  to_balance bigint,
  to_version bigint,
  from_previous bigint,
  from_jump bigint,
  to_previous bigint,
  to_jump bigint,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  hold_captured bigint CHECK (hold_captured >= 0),
  type smallint NOT NULL,
  hold_status smallint CHECK (hold_status BETWEEN 0 AND 2),
  operation_id bytea,
  fingerprint bytea,
  subject text COLLATE "C",
  refusal text,
  metadata text,
  CHECK (from_wallet <> to_wallet)
);

CREATE UNIQUE INDEX journal_operation ON mizan.journal (operation_id)
WHERE operation_id IS NOT NULL;

CREATE TABLE mizan.holds (
  id text COLLATE "C" PRIMARY KEY,
  wallet bigint NOT NULL REFERENCES mizan.wallets (number),
  to_wallet bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  captured bigint NOT NULL,
  status smallint NOT NULL CHECK (status BETWEEN 0 AND 3),
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (captured BETWEEN 0 AND amount)
);

CREATE INDEX holds_due ON mizan.holds (expires_at, id)
WHERE status = 0 AND expires_at IS NOT NULL;

-- Every operation that was reversed, at most once.
CREATE TABLE mizan.reversals (
  operation text COLLATE "C" PRIMARY KEY,
  reversed_by text COLLATE "C" NOT NULL
);

-- The newest token that was applied, per resource.
CREATE TABLE mizan.fences (
  resource text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL CHECK (token >= 0),
  owner text COLLATE "C" NOT NULL
) WITH (fillfactor = 70);

-- The lock service's leases. A row is never deleted: its token must not be granted again.
CREATE TABLE mizan.leases (
  resource text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL CHECK (token > 0),
  owner text COLLATE "C",
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- The newest epoch that a lock service outside of the database drew for its tokens.
CREATE TABLE mizan.lock_epoch (
  id smallint PRIMARY KEY CHECK (id = 1),
  epoch bigint NOT NULL CHECK (epoch > 0)
);

-- What the guard admitted: operations of the user's own SQL.
CREATE TABLE mizan.admissions (
  id text COLLATE "C" PRIMARY KEY,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 16),
  result bytea NOT NULL,
  at timestamptz NOT NULL
);

-- For people who look with psql; nothing of the program reads the views.
CREATE VIEW mizan.operations AS
SELECT
  sequence,
  CASE get_byte(operation_id, 0)
    WHEN 1 THEN encode(substring(operation_id FROM 2), 'hex')::uuid::text
    ELSE convert_from(operation_id, 'UTF8')
  END AS id,
  CASE type
    WHEN 1 THEN 'transfer' WHEN 2 THEN 'deposit' WHEN 3 THEN 'withdraw' WHEN 4 THEN 'hold'
    WHEN 5 THEN 'capture' WHEN 6 THEN 'void' WHEN 7 THEN 'reverse'
  END AS type,
  CASE WHEN refusal IS NULL THEN 'applied' ELSE 'refused' END AS outcome,
  at,
  CASE WHEN type IN (5, 6) THEN subject END AS hold,
  CASE WHEN type = 7 THEN subject END AS reverses,
  refusal,
  metadata
FROM mizan.journal
WHERE operation_id IS NOT NULL;

CREATE VIEW mizan.entries AS
WITH sides AS (
  SELECT sequence, at, from_wallet AS wallet, to_wallet AS other, from_version AS version,
    -amount AS change, from_balance AS balance
  FROM mizan.journal WHERE from_wallet > 0
  UNION ALL
  SELECT sequence, at, to_wallet, from_wallet, to_version, amount, to_balance
  FROM mizan.journal WHERE to_wallet > 0
)
SELECT
  wallets.id AS wallet,
  sides.version,
  operation.id AS operation,
  operation.type,
  sides.change,
  sides.balance,
  wallets.currency,
  coalesce(counterparties.id, '@world/' || wallets.currency) AS counterparty,
  sides.at,
  sides.sequence
FROM sides
JOIN mizan.wallets ON wallets.number = sides.wallet
LEFT JOIN mizan.wallets AS counterparties ON counterparties.number = sides.other
CROSS JOIN LATERAL (
  SELECT id, type FROM mizan.operations
  WHERE operations.sequence <= sides.sequence
  ORDER BY operations.sequence DESC LIMIT 1
) AS operation;
