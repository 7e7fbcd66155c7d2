-- Whoever may call mizan.admit states no name of the ledger's own (decision 0025): a mark on
-- mizan:wallet/... that a client sets would stop the wallet for everybody. All else is as it was.

-- Records the operation and remembers the fencing token, or says why not; waits for a transaction
-- under way that has the same id. A stale token leaves nothing recorded.
-- Answers admitted, already_applied, operation_mismatch or stale_fence, the earliest that is true.
-- Locks: the id, then the resource.
CREATE OR REPLACE FUNCTION mizan.admit(
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
    admit.resource IS NULL OR left(admit.resource, 6) COLLATE "C" <> 'mizan:',
    'a resource that begins with mizan: belongs to the ledger');
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
