#include "base/backoff.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cstdint>

namespace mizan {
namespace {

/// Waits that shrink to nothing before a deadline would spin instead of waiting.
constexpr std::chrono::nanoseconds shortest_wait{std::chrono::microseconds{50}};

}  // namespace

Backoff::Backoff(Random& random, BackoffOptions options) noexcept
    : random_(random), bound_(options.first), longest_(options.longest) {
  MIZAN_ASSERT(bound_.count() > 0);
  MIZAN_ASSERT(longest_ >= bound_);
}

std::optional<Instant> Backoff::next(Instant now, Deadline deadline) {
  if (now >= deadline || now > deadline - shortest_wait) return std::nullopt;
  // Compared before the subtraction, which would overflow for `Deadline::max()` and a negative now.
  const bool is_near = now > deadline - bound_;
  const std::chrono::nanoseconds bound = is_near ? deadline - now : bound_;
  const auto waited = random_.below(static_cast<std::uint64_t>(bound.count()));
  bound_ = bound_ > longest_ / 2 ? longest_ : bound_ * 2;
  const std::chrono::nanoseconds wait{static_cast<std::int64_t>(waited)};
  return now + std::max(wait, std::min(shortest_wait, bound / 2));
}

}  // namespace mizan
