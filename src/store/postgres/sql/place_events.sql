-- Gives the transactions in the outbox their positions, oldest tick first, and takes them out.
-- To be run after lock_event_counter.
-- Parameters: 1 how many at most. Rows: one: how many there were. Locks: the rows.
WITH taken AS (
  DELETE FROM mizan.outbox
  WHERE tick = ANY (ARRAY(SELECT tick FROM mizan.outbox ORDER BY tick LIMIT $1::bigint))
  RETURNING tick, first_sequence, row_count
), placed AS (
  INSERT INTO mizan.event_order (position, first_sequence, row_count)
  SELECT
    counter.position + row_number() OVER (ORDER BY taken.tick),
    taken.first_sequence,
    taken.row_count
  FROM taken
  CROSS JOIN (SELECT position FROM mizan.event_counter WHERE id = 1) AS counter
  RETURNING position
), counted AS (
  SELECT count(*) AS size FROM placed
), moved AS (
  UPDATE mizan.event_counter SET position = position + (SELECT size FROM counted)
  WHERE id = 1 AND (SELECT size FROM counted) > 0
)
SELECT size FROM counted;
