-- The ledger. docs/reference/mariadb-schema.md explains every table for people who look.
--
-- Amounts are minor units, times are microseconds since 1970 (UTC); wallet number 0 stands for the
-- @world wallet of the other side's currency. The CHECKs are a second net under the money rules:
-- one that fails is a bug of ours, and the transaction is rolled back. `mizan_` stands for the
-- prefix that the store was opened with. Every statement commits by itself, so each may find that
-- an earlier attempt has run it already.

CREATE TABLE IF NOT EXISTS mizan_currencies (
  code VARCHAR(10) NOT NULL PRIMARY KEY,
  exponent TINYINT NOT NULL,
  CHECK (CHAR_LENGTH(code) >= 3),
  CHECK (exponent BETWEEN 0 AND 18)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- `revision` guards the row; `head` and `block` are where its chain of entries begins: the newest
-- entry, and the newest one whose version is a multiple of 16 (journal's sequence; 0: none). No
-- index has a column that changes.
CREATE TABLE IF NOT EXISTS mizan_wallets (
  number BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  balance BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  min_balance BIGINT NULL,
  version BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 0,
  head BIGINT NOT NULL DEFAULT 0,
  block BIGINT NOT NULL DEFAULT 0,
  last_entry_at BIGINT NULL,
  created_at BIGINT NOT NULL,
  status TINYINT NOT NULL DEFAULT 0,
  exponent TINYINT NOT NULL,
  currency VARCHAR(10) NOT NULL,
  id VARCHAR(64) NOT NULL,
  metadata MEDIUMTEXT NULL,
  UNIQUE KEY wallet_id (id),
  CHECK (held >= 0),
  CHECK (version >= 0),
  CHECK (status BETWEEN 0 AND 2),
  CHECK (exponent BETWEEN 0 AND 18),
  CHECK (id <> ''),
  CHECK (min_balance IS NULL OR CAST(balance AS DECIMAL(30)) - held >= min_balance),
  CHECK (status <> 2 OR (balance = 0 AND held = 0))
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Numbers the transactions that write to the journal: `sequence` of a leg is this number times
-- 2^20 plus the leg's place in its transaction. No increment of its own: nodes of a cluster draw
-- numbers that differ.
CREATE SEQUENCE IF NOT EXISTS mizan_journal_batches
START WITH 1 MINVALUE 1 MAXVALUE 8796093022206 INCREMENT BY 0 CACHE 1000 ENGINE = InnoDB;

-- One row per leg, only ever appended. A transaction draws its number while it holds the locks of
-- its wallets, so that along one wallet `sequence` grows with the version. The first row of an
-- operation carries its id, fingerprint, subject, refusal, metadata and what it left of its hold;
-- rows of its further legs follow at once and have no id; `leg` counts them, from 0, so that the
-- first one is found from each. An operation without legs (hold, void, a
-- stored refusal) is one row without an amount. An id that is a UUID is a byte 01 and its 16 bytes,
-- any other its text. `from_previous` and the like are where the side's chain of entries goes on
-- (sequence; 0: nowhere).
CREATE TABLE IF NOT EXISTS mizan_journal (
  sequence BIGINT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  from_wallet BIGINT NULL,
  to_wallet BIGINT NULL,
  amount BIGINT NULL,
  from_balance BIGINT NULL,
  from_version BIGINT NULL,
  to_balance BIGINT NULL,
  to_version BIGINT NULL,
  from_previous BIGINT NULL,
  from_jump BIGINT NULL,
  to_previous BIGINT NULL,
  to_jump BIGINT NULL,
  hold_captured BIGINT NULL,
  type TINYINT NOT NULL,
  leg TINYINT NOT NULL,
  hold_status TINYINT NULL,
  operation_id VARBINARY(64) NULL,
  fingerprint BINARY(16) NULL,
  subject VARCHAR(64) NULL,
  refusal MEDIUMTEXT NULL,
  metadata MEDIUMTEXT NULL,
  UNIQUE KEY journal_operation (operation_id),
  CHECK (leg >= 0),
  CHECK (amount > 0),
  CHECK (hold_captured >= 0),
  CHECK (hold_status BETWEEN 0 AND 2),
  CHECK (from_wallet <> to_wallet)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS mizan_holds (
  id VARCHAR(64) NOT NULL PRIMARY KEY,
  wallet BIGINT NOT NULL,
  to_wallet BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  captured BIGINT NOT NULL,
  status TINYINT NOT NULL,
  expires_at BIGINT NULL,
  created_at BIGINT NOT NULL,
  KEY holds_due (status, expires_at),
  FOREIGN KEY (wallet) REFERENCES mizan_wallets (number),
  CHECK (amount > 0),
  CHECK (captured BETWEEN 0 AND amount),
  CHECK (status BETWEEN 0 AND 3)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Every operation that was reversed, at most once.
CREATE TABLE IF NOT EXISTS mizan_reversals (
  operation VARCHAR(64) NOT NULL PRIMARY KEY,
  reversed_by VARCHAR(64) NOT NULL
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The newest token that was applied, per resource.
CREATE TABLE IF NOT EXISTS mizan_fences (
  resource VARCHAR(255) NOT NULL PRIMARY KEY,
  token BIGINT NOT NULL,
  owner VARCHAR(255) NOT NULL,
  CHECK (token >= 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The lock service's leases. A row is never deleted: its token must not be granted again.
CREATE TABLE IF NOT EXISTS mizan_leases (
  resource VARCHAR(255) NOT NULL PRIMARY KEY,
  token BIGINT NOT NULL,
  owner VARCHAR(255) NULL,
  expires_at BIGINT NOT NULL,
  CHECK (token > 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The newest epoch that a lock service outside of the database drew for its tokens.
CREATE TABLE IF NOT EXISTS mizan_lock_epoch (
  id TINYINT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL,
  CHECK (id = 1),
  CHECK (epoch >= 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

INSERT INTO mizan_lock_epoch (id, epoch)
SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM mizan_lock_epoch);

-- What the guard admitted: operations of the user's own SQL.
CREATE TABLE IF NOT EXISTS mizan_admissions (
  id VARCHAR(64) NOT NULL PRIMARY KEY,
  fingerprint BINARY(16) NOT NULL,
  result LONGBLOB NOT NULL,
  at BIGINT NOT NULL
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- For people who look with a client; nothing of the program reads the views.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW mizan_operations AS
SELECT
  sequence,
  IF(
    ORD(operation_id) = 1,
    LOWER(CONCAT_WS(
      '-',
      HEX(SUBSTR(operation_id, 2, 4)),
      HEX(SUBSTR(operation_id, 6, 2)),
      HEX(SUBSTR(operation_id, 8, 2)),
      HEX(SUBSTR(operation_id, 10, 2)),
      HEX(SUBSTR(operation_id, 12, 6))
    )),
    CONVERT(operation_id USING utf8mb4)
  ) AS id,
  ELT(type, 'transfer', 'deposit', 'withdraw', 'hold', 'capture', 'void', 'reverse') AS type,
  IF(refusal IS NULL, 'applied', 'refused') AS outcome,
  FROM_UNIXTIME(at * 0.000001) AS at,
  IF(type IN (5, 6), subject, NULL) AS hold,
  IF(type = 7, subject, NULL) AS reverses,
  refusal,
  metadata
FROM mizan_journal
WHERE operation_id IS NOT NULL;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW mizan_entries AS
SELECT
  wallets.id AS wallet,
  sides.version,
  operations.id AS operation,
  ELT(sides.type, 'transfer', 'deposit', 'withdraw', 'hold', 'capture', 'void', 'reverse') AS type,
  sides.change_of_balance AS `change`,
  sides.balance,
  wallets.currency,
  COALESCE(counterparties.id, CONCAT('@world/', wallets.currency)) AS counterparty,
  FROM_UNIXTIME(sides.at * 0.000001) AS at,
  sides.sequence
FROM (
  SELECT sequence, sequence - leg AS first, at, type, from_wallet AS wallet, to_wallet AS other,
    from_version AS version, -amount AS change_of_balance, from_balance AS balance
  FROM mizan_journal WHERE from_wallet > 0
  UNION ALL
  SELECT sequence, sequence - leg, at, type, to_wallet, from_wallet, to_version, amount, to_balance
  FROM mizan_journal WHERE to_wallet > 0
) AS sides
JOIN mizan_wallets AS wallets ON wallets.number = sides.wallet
LEFT JOIN mizan_operations AS operations ON operations.sequence = sides.first
LEFT JOIN mizan_wallets AS counterparties ON counterparties.number = sides.other;
