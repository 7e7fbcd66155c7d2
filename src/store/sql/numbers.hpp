#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace mizan::sql {

/// The number of a transaction to come: each transaction that writes draws one for whoever is next,
/// so that nobody needs a round trip for it. Threads: any.
class Numbers {
 public:
  /// Each is given out once.
  [[nodiscard]] std::optional<std::int64_t> take() noexcept {
    const std::int64_t number = next_.exchange(none);
    if (number == none) return std::nullopt;
    return number;
  }

  void put(std::int64_t number) noexcept { next_.store(number); }

 private:
  static constexpr std::int64_t none = 0;  // Numbers are positive.
  std::atomic<std::int64_t> next_{none};
};

}  // namespace mizan::sql
