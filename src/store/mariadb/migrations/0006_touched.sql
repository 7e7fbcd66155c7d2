-- What transactions on a Galera cluster have relied on without changing it (sql/touch_wallets.sql).

ALTER TABLE mizan_wallets ADD COLUMN IF NOT EXISTS touched BIGINT NOT NULL DEFAULT 0;
