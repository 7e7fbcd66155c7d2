#pragma once

#include "mizan/clock.hpp"
#include "mizan/key_table.hpp"

#include "store/postgres/pool.hpp"

namespace mizan::postgres {

/// The keys of the HTTP interface in the ledger's own database. Any thread may call.
class PostgresKeyTable final : public KeyTable {
 public:
  PostgresKeyTable(Pool& pool, const Clock& clock) noexcept : pool_(pool), clock_(clock) {}

  Status add(const KeyRecord& key) override;
  Result<std::vector<KeyRecord>> list() override;
  Result<bool> revoke(const std::string& id, Timestamp at) override;

 private:
  Pool& pool_;
  const Clock& clock_;
};

}  // namespace mizan::postgres
