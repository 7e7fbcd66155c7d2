#include "lock/redis/epochs.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::redis {

FenceToken to_token(const Mark& mark) noexcept {
  MIZAN_ASSERT(mark.epoch > 0 && mark.epoch <= epoch_max);
  MIZAN_ASSERT(mark.sequence > 0 && mark.sequence <= sequence_max);
  return FenceToken{mark.epoch * (sequence_max + 1) + mark.sequence};
}

Mark to_mark(FenceToken token) noexcept {
  return {token.value() / (sequence_max + 1), token.value() % (sequence_max + 1)};
}

std::int64_t clock_epoch(Timestamp now) noexcept {
  constexpr std::chrono::sys_days begin = std::chrono::year{2020} / 1 / 1;
  return std::max<std::int64_t>((now - begin) / std::chrono::minutes{10}, 0);
}

Result<std::int64_t> ClockEpochTable::next_epoch(std::int64_t above) {
  const std::int64_t by_clock = clock_epoch(system_clock().wall_now());
  const MutexLock lock(mutex_);
  newest_ = std::max({newest_ + 1, above + 1, by_clock});
  return newest_;
}

Mark SeenMarks::of(std::size_t bucket) {
  const MutexLock lock(mutex_);
  return marks_[bucket];
}

void SeenMarks::note(std::size_t bucket, const Mark& mark) {
  const MutexLock lock(mutex_);
  marks_[bucket] = std::max(marks_[bucket], mark);
}

}  // namespace mizan::redis
