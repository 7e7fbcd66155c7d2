#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"

#include "store/postgres/pool.hpp"

#include <chrono>
#include <cstdint>

namespace mizan::postgres {

/// The lock services' epochs in the ledger's own database. Each draw is a durable transaction. Any
/// thread may call.
class PostgresEpochTable final : public EpochTable {
 public:
  PostgresEpochTable(Pool& pool, const Clock& clock) noexcept : pool_(pool), clock_(clock) {}

  Result<std::int64_t> next_epoch(std::int64_t above) override;
  Result<std::int64_t> next_epoch_within(std::int64_t above,
                                         std::chrono::milliseconds limit) override;

 private:
  Pool& pool_;
  const Clock& clock_;
};

}  // namespace mizan::postgres
