#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "base/mutex.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace mizan::cli {

/// The epochs of a store that is opened for each draw and closed again: for the same reason as
/// LeaseTablePerCall, and because most commands draw none. Any thread may call it.
class EpochTablePerCall final : public EpochTable {
 public:
  using Open = std::function<Result<std::unique_ptr<Store>>()>;

  explicit EpochTablePerCall(Open open);

  Result<std::int64_t> next_epoch(std::int64_t above) override;

 private:
  Open open_;
  Mutex mutex_;  // One at a time: two would be two owners of the file.
};

}  // namespace mizan::cli
