-- Whoever may call mizan_admit states no name of the ledger's own (decision 0025): a mark on
-- mizan:wallet/… that a client sets would stop the wallet for everybody. All else is as it was.

-- Records the operation and remembers the fencing token, or says why not; waits for a transaction
-- under way that has the same id. A stale token leaves nothing recorded. Needs a transaction, or
-- autocommit off: raises 25000 where it would commit by itself.
-- `answer` is admitted, already_applied, operation_mismatch or stale_fence, the earliest that is
-- true. `resource`, `token` and `owner` may be NULL.
-- Locks: the id, then the resource.
CREATE OR REPLACE PROCEDURE mizan_admit(
  operation_id TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  fingerprint BLOB,
  resource TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  token BIGINT,
  owner TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  OUT answer VARCHAR(32)
)
SQL SECURITY DEFINER MODIFIES SQL DATA
BEGIN
  DECLARE is_new BOOLEAN DEFAULT TRUE;
  DECLARE is_accepted BOOLEAN DEFAULT TRUE;
  DECLARE known_fingerprint BLOB;
  SET answer = NULL;
  IF @@SESSION.in_transaction = 0 AND @@SESSION.autocommit = 1 THEN
    SIGNAL SQLSTATE '25000'
      SET MESSAGE_TEXT = 'begin a transaction first: the admission would be committed by itself';
  END IF;
  CALL mizan_require_argument(
    CHAR_LENGTH(operation_id) BETWEEN 1 AND 64 AND operation_id NOT REGEXP '[^!-~]',
    'an operation id has 1 to 64 visible ASCII characters');
  CALL mizan_require_argument(LENGTH(fingerprint) = 16, 'a fingerprint has 16 bytes');
  CALL mizan_require_argument(
    (resource IS NULL) = (token IS NULL), 'resource and token go together');
  CALL mizan_require_argument(
    resource IS NULL
      OR (CHAR_LENGTH(resource) BETWEEN 1 AND 128 AND resource NOT REGEXP '[^!-~]'),
    'a resource has 1 to 128 visible ASCII characters');
  CALL mizan_require_argument(
    resource IS NULL OR LEFT(resource, 6) <> 'mizan:',
    'a resource that begins with mizan: belongs to the ledger');
  CALL mizan_require_argument(COALESCE(token, 0) >= 0, 'a fencing token is not negative');
  CALL mizan_require_argument(
    CHAR_LENGTH(COALESCE(owner, '')) <= 64 AND COALESCE(owner, '') NOT REGEXP '[^!-~]',
    'a lock owner has up to 64 visible ASCII characters');

  BEGIN
    DECLARE CONTINUE HANDLER FOR 1062 SET is_new = FALSE;
    INSERT INTO mizan_admissions (id, fingerprint, result, at) VALUES (
      operation_id, fingerprint, '', CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED));
  END;
  IF is_new AND resource IS NOT NULL THEN
    CALL mizan_advance_fence(resource, token, COALESCE(owner, ''), is_accepted);
  END IF;
  IF NOT is_new THEN
    SELECT known.fingerprint INTO known_fingerprint
    FROM mizan_admissions AS known WHERE known.id = operation_id LOCK IN SHARE MODE;
    SET answer = IF(known_fingerprint = fingerprint, 'already_applied', 'operation_mismatch');
  ELSEIF NOT is_accepted THEN
    DELETE FROM mizan_admissions WHERE id = operation_id;
    SET answer = 'stale_fence';
  ELSE
    CALL mizan_note_admission(operation_id);
    SET answer = 'admitted';
  END IF;
END;

-- The names now have the numbers of the versions, in ledgers that were made before, too.
UPDATE mizan_schema_migrations SET name = '0002_admit' WHERE version = 2;

UPDATE mizan_schema_migrations SET name = '0003_events' WHERE version = 3;

UPDATE mizan_schema_migrations SET name = '0004_keys' WHERE version = 4;

UPDATE mizan_schema_migrations SET name = '0005_touched' WHERE version = 5;
