#include "engine/gathering.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::engine {

void Gathering::expect(std::size_t everybody, std::chrono::nanoseconds took, Instant now) noexcept {
  constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(1);
  everybody_ = everybody;
  // What a transaction costs by itself is more than that; a longer wait might lose what it saves.
  until_ = now + std::min(took / 4, longest);
}

bool Gathering::begin(std::size_t queued, Instant now) noexcept {
  constexpr std::size_t few = 3;
  if (everybody_ <= few || queued >= everybody_ || now >= until_) return false;
  if (saved_ == 0) return true;
  --saved_;
  return false;
}

void Gathering::end(std::size_t queued) noexcept {
  constexpr std::size_t saved_max = 63;
  const bool is_worth_it = 4 * queued >= 3 * everybody_;
  in_vain_ = is_worth_it ? 0 : std::min(2 * in_vain_ + 1, saved_max);
  saved_ = in_vain_;
}

}  // namespace mizan::engine
