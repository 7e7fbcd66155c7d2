-- Events: what was applied, in commit order (decision 0022), and documents of the program's own.

-- A transaction that writes to the journal leaves word of its rows here; whoever reads events gives
-- it a place in `event_order` after its commit and takes it out. So nothing ever comes in front of
-- what a reader has seen. `tick` is drawn under the locks of its wallets: of two transactions that
-- write one wallet the later one has the greater.
CREATE TABLE mizan.outbox (
  tick bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_sequence bigint NOT NULL,
  row_count bigint NOT NULL CHECK (row_count > 0)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- The committed transactions in the order in which readers are told of them: along one wallet, the
-- order of their commits. `first_sequence` and the `row_count` − 1 after it are its rows in the
-- journal.
CREATE TABLE mizan.event_order (
  position bigint PRIMARY KEY CHECK (position > 0),
  first_sequence bigint NOT NULL UNIQUE,
  row_count bigint NOT NULL CHECK (row_count > 0)
);

-- The last position that was given; its row is locked by whoever gives further ones.
CREATE TABLE mizan.event_counter (
  id smallint PRIMARY KEY CHECK (id = 1),
  position bigint NOT NULL
);

-- A program from before this migration would leave nothing in the outbox: it finds no numbers under
-- this name any more. Waits for those of its transactions that have drawn one.
ALTER SEQUENCE mizan.journal_batches RENAME TO batches;

INSERT INTO mizan.event_order (position, first_sequence, row_count)
SELECT row_number() OVER (ORDER BY sequence >> 20), min(sequence), count(*)
FROM mizan.journal
GROUP BY sequence >> 20;

INSERT INTO mizan.event_counter (id, position)
SELECT 1, coalesce(max(position), 0) FROM mizan.event_order;

-- Small texts of the program's own, such as a webhook and how far its deliveries are. `revision`
-- guards the row.
CREATE TABLE mizan.documents (
  kind text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 128),
  name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  revision bigint NOT NULL CHECK (revision > 0),
  content text NOT NULL,
  PRIMARY KEY (kind, name)
) WITH (fillfactor = 70);
