-- Bytes that the ledger's tables and indexes take.
-- Parameters: 1 name of the schema. Rows: one: bytes. Locks: shared.
SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint
FROM pg_class
JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_namespace.nspname = $1::text AND pg_class.relkind IN ('r', 'S', 'm');
