-- The guard for every language: procedures that a client calls inside a transaction of its own, on
-- the tables that the guard in C++ uses. docs/guides/mariadb.md shows how. They are procedures and
-- no functions: where there is a binary log, only a superuser may create a function.
--
-- They run with the rights of the ledger's owner, so that a client needs none on the tables; who
-- may call them is granted. Parameters are compared byte for byte, whatever collation they come
-- with. Malformed ones raise 22023 and are never repeated in the message. What they read they read
-- locked, so that they see the newest also in a session with REPEATABLE READ. ROW_COUNT() counts
-- rows that became different or rows that were found, as the client chose: only a 1 that cannot be
-- anything else is relied on.

CREATE OR REPLACE PROCEDURE mizan_require_argument(is_good BOOLEAN, complaint VARCHAR(128))
SQL SECURITY DEFINER NO SQL
BEGIN
  IF is_good IS NOT TRUE THEN
    SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = complaint;
  END IF;
END;

-- Remembers a fencing token where it is newer than the newest, or equal and of the same, stated
-- owner. Locks: the resource.
CREATE OR REPLACE PROCEDURE mizan_advance_fence(
  wanted_resource VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  wanted_token BIGINT,
  wanted_owner VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  OUT is_accepted BOOLEAN
)
SQL SECURITY DEFINER MODIFIES SQL DATA
attempts: BEGIN
  DECLARE known_token BIGINT;
  DECLARE known_owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
  DECLARE is_first BOOLEAN;
  DECLARE attempt INT DEFAULT 0;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET known_token = NULL;
  DECLARE CONTINUE HANDLER FOR 1062 SET is_first = FALSE;
  -- Where somebody else remembers the resource's first token meanwhile, ours is compared with it.
  WHILE attempt < 2 DO
    UPDATE mizan_fences SET token = wanted_token, owner = wanted_owner
    WHERE resource = wanted_resource
      AND (
        token < wanted_token
        OR (token = wanted_token AND owner = wanted_owner AND wanted_owner <> '')
      );
    IF ROW_COUNT() = 1 THEN
      SET is_accepted = TRUE;
      LEAVE attempts;
    END IF;
    SELECT token, owner INTO known_token, known_owner
    FROM mizan_fences WHERE resource = wanted_resource FOR UPDATE;
    IF known_token IS NOT NULL THEN
      -- An equal token of the same owner became no different.
      SET is_accepted = known_token = wanted_token
        AND known_owner = wanted_owner AND wanted_owner <> '';
      LEAVE attempts;
    END IF;
    SET is_first = TRUE;
    INSERT INTO mizan_fences (resource, token, owner)
    VALUES (wanted_resource, wanted_token, wanted_owner);
    IF is_first THEN
      SET is_accepted = TRUE;
      LEAVE attempts;
    END IF;
    SET attempt = attempt + 1;
  END WHILE;
  SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a fencing token is there and is not';
END;

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

-- Notes that this transaction has admitted an operation, for keep_result: a savepoint is there as
-- long as the transaction is, and the ids it stands for are in a variable of the session.
CREATE OR REPLACE PROCEDURE mizan_note_admission(
  operation_id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
)
SQL SECURITY DEFINER NO SQL
BEGIN
  DECLARE CONTINUE HANDLER FOR 1305 SET @mizan_admitted = ' ';
  RELEASE SAVEPOINT mizan_admissions;
  SAVEPOINT mizan_admissions;
  SET @mizan_admitted = CONCAT(COALESCE(@mizan_admitted, ' '), operation_id, ' ');
END;

-- What a repeat may be answered with. Only in the transaction that admitted the operation: raises
-- 55000 in any other.
CREATE OR REPLACE PROCEDURE mizan_keep_result(
  operation_id TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  result LONGTEXT CHARACTER SET utf8mb4
)
SQL SECURITY DEFINER MODIFIES SQL DATA
BEGIN
  DECLARE is_ours BOOLEAN DEFAULT TRUE;
  CALL mizan_require_argument(
    LENGTH(result) <= 65536, 'a result has up to 65536 bytes and is not NULL');
  BEGIN
    DECLARE CONTINUE HANDLER FOR 1305 SET is_ours = FALSE;
    RELEASE SAVEPOINT mizan_admissions;
  END;
  IF is_ours THEN
    SAVEPOINT mizan_admissions;
    SET is_ours = INSTR(
      @mizan_admitted, CAST(CONCAT(' ', operation_id, ' ') AS CHAR CHARACTER SET utf8mb4)
    ) > 0;
  END IF;
  IF is_ours IS NOT TRUE THEN
    SIGNAL SQLSTATE '55000'
      SET MESSAGE_TEXT = 'this transaction has not admitted the operation';
  END IF;
  UPDATE mizan_admissions AS known SET known.result = CAST(result AS BINARY)
  WHERE known.id = operation_id;
END;

-- The result that was kept; '' where none was, NULL where the operation is not known. Inside a
-- transaction whose snapshot does not have it yet, the newest is read, and one that is under way is
-- waited for.
CREATE OR REPLACE PROCEDURE mizan_result_of(
  operation_id TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  OUT result LONGTEXT CHARACTER SET utf8mb4
)
SQL SECURITY DEFINER READS SQL DATA
BEGIN
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET result = NULL;
  SET result = NULL;
  SELECT CONVERT(known.result USING utf8mb4) INTO result
  FROM mizan_admissions AS known WHERE known.id = operation_id;
  IF result IS NULL AND @@SESSION.in_transaction = 1 THEN
    SELECT CONVERT(known.result USING utf8mb4) INTO result
    FROM mizan_admissions AS known WHERE known.id = operation_id LOCK IN SHARE MODE;
  END IF;
END;
