-- What transactions on a Galera cluster have relied on without changing it (decision 0024).

ALTER TABLE mizan_wallets ADD COLUMN IF NOT EXISTS touched BIGINT NOT NULL DEFAULT 0;

ALTER TABLE mizan_fences ADD COLUMN IF NOT EXISTS touched BIGINT NOT NULL DEFAULT 0;
