#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"

#include "store/mariadb/pool.hpp"

#include <chrono>
#include <cstdint>

namespace mizan::mariadb {

/// The lock services' epochs in the ledger's own database. Each draw is a durable transaction. Any
/// thread may call.
class MariadbEpochTable final : public EpochTable {
 public:
  MariadbEpochTable(Pool& pool, const Clock& clock) noexcept : pool_(pool), clock_(clock) {}

  Result<std::int64_t> next_epoch(std::int64_t above) override;
  Result<std::int64_t> next_epoch_within(std::int64_t above,
                                         std::chrono::milliseconds limit) override;

 private:
  [[nodiscard]] Result<std::int64_t> draw(std::int64_t above, Deadline deadline);

  Pool& pool_;
  const Clock& clock_;
};

}  // namespace mizan::mariadb
