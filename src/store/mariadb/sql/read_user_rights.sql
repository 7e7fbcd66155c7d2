-- What the session's user may do beyond a ledger of its own: change data of every database, and
-- give rights away, everywhere or here. Rights that come by a role are not among them.
-- Parameters: none. Rows: one: how many such rights it has on every database, how many it may give
--       away. Locks: none.
SELECT
  CAST(COALESCE(SUM(held.everywhere), 0) AS SIGNED),
  CAST(COALESCE(SUM(held.grantable), 0) AS SIGNED)
FROM (
  SELECT
    CAST(
      privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER', 'SUPER', 'CREATE USER')
      AS SIGNED
    ) AS everywhere,
    CAST(is_grantable = 'YES' AS SIGNED) AS grantable,
    grantee
  FROM information_schema.USER_PRIVILEGES
  UNION ALL
  SELECT 0, CAST(is_grantable = 'YES' AS SIGNED), grantee
  FROM information_schema.SCHEMA_PRIVILEGES
) AS held
WHERE held.grantee = CONCAT(
  '''', LEFT(CURRENT_USER(), LENGTH(CURRENT_USER()) - LOCATE('@', REVERSE(CURRENT_USER()))),
  '''@''', SUBSTRING_INDEX(CURRENT_USER(), '@', -1), ''''
);
