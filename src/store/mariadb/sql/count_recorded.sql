-- How many of the operation ids are recorded by now.
-- Parameters: 1 operation ids as the journal stores them (list of hexadecimal digits).
-- Rows: one: the number. Locks: none.
SELECT STRAIGHT_JOIN COUNT(*)
FROM JSON_TABLE(
  ?,
  '$[*]' COLUMNS (position FOR ORDINALITY, digits VARCHAR(128) CHARACTER SET latin1 PATH '$')
) AS asked
JOIN mizan_journal AS journal ON journal.operation_id = UNHEX(asked.digits);
