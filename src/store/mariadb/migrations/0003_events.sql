-- Events: what was applied, in commit order (decision 0022), and documents of the program's own.
-- Every statement commits by itself, so each may find that an earlier attempt has run it already.

-- A transaction that writes to the journal leaves word of its rows here; whoever reads events gives
-- it a place in `event_order` after its commit and takes it out. So nothing ever comes in front of
-- what a reader has seen. `tick` is above that of everything the transaction can see here: in a
-- cluster nodes number by themselves, and it tells in which order transactions followed each other.
CREATE TABLE IF NOT EXISTS mizan_outbox (
  tick BIGINT NOT NULL,
  first_sequence BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  PRIMARY KEY (tick, first_sequence),
  CHECK (row_count > 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The committed transactions in the order in which readers are told of them: along one wallet, the
-- order of their commits. `first_sequence` and the `row_count` − 1 after it are its rows in the
-- journal.
CREATE TABLE IF NOT EXISTS mizan_event_order (
  position BIGINT NOT NULL PRIMARY KEY,
  first_sequence BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  UNIQUE KEY event_first_sequence (first_sequence),
  CHECK (position > 0),
  CHECK (row_count > 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The last position that was given; its row is locked by whoever gives further ones.
CREATE TABLE IF NOT EXISTS mizan_event_counter (
  id TINYINT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL,
  CHECK (id = 1)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Small texts of the program's own, such as a webhook and how far its deliveries are. `revision`
-- guards the row.
CREATE TABLE IF NOT EXISTS mizan_documents (
  kind VARCHAR(128) NOT NULL,
  name VARCHAR(128) NOT NULL,
  revision BIGINT NOT NULL,
  content MEDIUMTEXT NOT NULL,
  PRIMARY KEY (kind, name),
  CHECK (revision > 0)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- A program from before this migration would leave nothing in the outbox: it finds no numbers under
-- this name any more. Waits for those of its transactions that have drawn one.
RENAME TABLE IF EXISTS mizan_journal_batches TO mizan_batches;

-- What is there already, in runs of rows that follow each other.
INSERT INTO mizan_event_order (position, first_sequence, row_count)
SELECT ROW_NUMBER() OVER (ORDER BY runs.first_sequence), runs.first_sequence, runs.row_count
FROM (
  SELECT MIN(numbered.sequence) AS first_sequence, COUNT(*) AS row_count
  FROM (
    SELECT sequence, sequence - ROW_NUMBER() OVER (ORDER BY sequence) AS gap FROM mizan_journal
  ) AS numbered
  GROUP BY numbered.sequence DIV 1048576, numbered.gap
) AS runs
WHERE NOT EXISTS (SELECT 1 FROM mizan_event_counter);

INSERT INTO mizan_event_counter (id, position)
SELECT 1, (SELECT COALESCE(MAX(position), 0) FROM mizan_event_order)
WHERE NOT EXISTS (SELECT 1 FROM mizan_event_counter);
