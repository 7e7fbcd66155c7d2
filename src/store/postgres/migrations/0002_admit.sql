-- The guard for every language: functions that a client calls inside a transaction of its own, on
-- the tables that the guard in C++ uses. docs/guides/postgres.md shows how.
--
-- They run with the rights of the ledger's owner, so that a client needs none on the tables; who
-- may call them is granted. Parameters are compared as the columns are, whatever collation they
-- come with. Malformed ones raise 22023 and are never repeated in the message.

-- The transaction that admitted the operation: only that one may keep a result for it.
ALTER TABLE mizan.admissions
ADD COLUMN transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id();

CREATE FUNCTION mizan.require_argument(is_good boolean, complaint text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF is_good IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = complaint;
  END IF;
END
$$;

-- Records the operation and remembers the fencing token, or says why not; waits for a transaction
-- under way that has the same id. A stale token leaves nothing recorded.
-- Answers admitted, already_applied, operation_mismatch or stale_fence, the earliest that is true.
-- Locks: the id, then the resource.
CREATE FUNCTION mizan.admit(
  operation_id text,
  fingerprint bytea,
  resource text DEFAULT NULL,
  token bigint DEFAULT NULL,
  owner text DEFAULT ''
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  known_fingerprint bytea;
BEGIN
  PERFORM mizan.require_argument(
    length(admit.operation_id) BETWEEN 1 AND 64
      AND admit.operation_id COLLATE "C" !~ '[^!-~]',
    'an operation id has 1 to 64 visible ASCII characters');
  PERFORM mizan.require_argument(
    length(admit.fingerprint) = 16, 'a fingerprint has 16 bytes');
  PERFORM mizan.require_argument(
    (admit.resource IS NULL) = (admit.token IS NULL), 'resource and token go together');
  PERFORM mizan.require_argument(
    admit.resource IS NULL
      OR (length(admit.resource) BETWEEN 1 AND 128 AND admit.resource COLLATE "C" !~ '[^!-~]'),
    'a resource has 1 to 128 visible ASCII characters');
  PERFORM mizan.require_argument(
    coalesce(admit.token, 0) >= 0, 'a fencing token is not negative');
  PERFORM mizan.require_argument(
    length(coalesce(admit.owner, '')) <= 64
      AND coalesce(admit.owner, '') COLLATE "C" !~ '[^!-~]',
    'a lock owner has up to 64 visible ASCII characters');

  INSERT INTO mizan.admissions (id, fingerprint, result, at)
  VALUES (admit.operation_id, admit.fingerprint, '', clock_timestamp())
  ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN
    SELECT admissions.fingerprint INTO STRICT known_fingerprint
    FROM mizan.admissions WHERE id = admit.operation_id COLLATE "C";
    RETURN CASE
      WHEN known_fingerprint = admit.fingerprint THEN 'already_applied'
      ELSE 'operation_mismatch'
    END;
  END IF;

  IF admit.resource IS NULL THEN
    RETURN 'admitted';
  END IF;
  INSERT INTO mizan.fences AS known (resource, token, owner)
  VALUES (admit.resource, admit.token, coalesce(admit.owner, ''))
  ON CONFLICT (resource) DO UPDATE SET token = excluded.token, owner = excluded.owner
  WHERE known.token < excluded.token
     OR (known.token = excluded.token AND known.owner = excluded.owner AND excluded.owner <> '');
  IF FOUND THEN
    RETURN 'admitted';
  END IF;
  DELETE FROM mizan.admissions WHERE id = admit.operation_id COLLATE "C";
  RETURN 'stale_fence';
END
$$;

-- What a repeat may be answered with. Only in the transaction that admitted the operation: raises
-- 55000 in any other.
CREATE FUNCTION mizan.keep_result(operation_id text, result text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM mizan.require_argument(
    octet_length(convert_to(keep_result.result, 'UTF8')) <= 65536,
    'a result has up to 65536 bytes and is not NULL');
  UPDATE mizan.admissions SET result = convert_to(keep_result.result, 'UTF8')
  WHERE id = keep_result.operation_id COLLATE "C" AND transaction_id = pg_current_xact_id();
  IF NOT FOUND THEN
    RAISE EXCEPTION USING
      ERRCODE = 'object_not_in_prerequisite_state',
      MESSAGE = 'this transaction has not admitted the operation';
  END IF;
END
$$;

-- The result that was kept; '' where none was, NULL where the operation is not known.
CREATE FUNCTION mizan.result_of(operation_id text) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT convert_from(result, 'UTF8') FROM mizan.admissions WHERE id = $1 COLLATE "C"
$$;

REVOKE ALL ON FUNCTION mizan.require_argument(boolean, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION mizan.admit(text, bytea, text, bigint, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION mizan.keep_result(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION mizan.result_of(text) FROM PUBLIC;
