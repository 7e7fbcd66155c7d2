#pragma once

#include "mizan/epoch_table.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace mizan::cli {

/// The store's epochs, counted: each one drawn means that a lock service had lost its memory. Any
/// thread.
class CountedEpochs final : public EpochTable {
 public:
  /// Null where the store keeps none; else it outlives this.
  explicit CountedEpochs(EpochTable* inner) noexcept : inner_(inner) {}

  /// This, or null where there is nothing to count.
  [[nodiscard]] EpochTable* table() noexcept { return inner_ == nullptr ? nullptr : this; }

  Result<std::int64_t> next_epoch(std::int64_t above) override {
    auto epoch = inner_->next_epoch(above);
    if (epoch) ++drawn_;
    return epoch;
  }

  Result<std::int64_t> next_epoch_within(std::int64_t above,
                                         std::chrono::milliseconds limit) override {
    auto epoch = inner_->next_epoch_within(above, limit);
    if (epoch) ++drawn_;
    return epoch;
  }

  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }

 private:
  EpochTable* inner_;
  std::atomic<std::uint64_t> drawn_{0};
};

}  // namespace mizan::cli
