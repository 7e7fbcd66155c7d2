#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"

#include "store/sqlite/writer.hpp"

namespace mizan::sqlite {

/// The lock services' epochs in the ledger's own file. Each draw is a durable transaction. Any
/// thread may call.
class SqliteEpochTable final : public EpochTable {
 public:
  /// `writer` is null for a reader beside an owner.
  SqliteEpochTable(Writer* writer, const Clock& clock) noexcept : writer_(writer), clock_(clock) {}

  Result<std::int64_t> next_epoch(std::int64_t above) override;

 private:
  Writer* writer_;
  const Clock& clock_;
};

}  // namespace mizan::sqlite
