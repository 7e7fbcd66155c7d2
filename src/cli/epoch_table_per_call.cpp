#include "cli/epoch_table_per_call.hpp"

#include <utility>

namespace mizan::cli {

EpochTablePerCall::EpochTablePerCall(Open open) : open_(std::move(open)) {}

Result<std::int64_t> EpochTablePerCall::next_epoch(std::int64_t above) {
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  EpochTable* epochs = (*store)->epochs();
  if (epochs != nullptr) return epochs->next_epoch(above);
  return invalid_request("lock", "this store keeps no epochs for the tokens of a Redis lock");
}

}  // namespace mizan::cli
