-- How many of the operation ids are recorded by now, as find_operations finds them.
-- Parameters: 1 operation ids as the journal stores them (array of bytes).
-- Rows: one: the number. Locks: shared.
SELECT count(*)
FROM (SELECT unnest($1::bytea[]) AS operation_id) AS asked
JOIN mizan.journal ON journal.operation_id = asked.operation_id
WHERE asked.operation_id <= CASE
  WHEN asked.operation_id < '\x02'::bytea THEN (
    SELECT operation_id FROM mizan.journal
    WHERE operation_id < '\x02'::bytea
    ORDER BY operation_id DESC LIMIT 1
  )
  ELSE (
    SELECT operation_id FROM mizan.journal
    WHERE operation_id IS NOT NULL
    ORDER BY operation_id DESC LIMIT 1
  )
END;
