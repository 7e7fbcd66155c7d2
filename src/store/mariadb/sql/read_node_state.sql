-- How a Galera node stands in its cluster; nothing where the server knows of none.
-- Parameters: none. Rows: name in lower case, value. Locks: none.
SELECT LOWER(variable_name), variable_value
FROM information_schema.GLOBAL_STATUS
WHERE LOWER(variable_name) IN (
  'wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_cluster_size', 'wsrep_ready'
);
