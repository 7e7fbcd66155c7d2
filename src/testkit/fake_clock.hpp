#pragma once

#include "mizan/clock.hpp"

#include "base/mutex.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>

namespace mizan::testkit {

/// What sleeping on a fake clock does.
enum class FakeSleep : std::uint8_t {
  waits,     ///< Until the test has moved the time far enough.
  advances,  ///< Moves the time to the end of the sleep and returns at once.
};

/// Time that stands still until the test moves it. Begins at 2026-01-01 12:00:00 UTC, 1,000 s
/// after boot. Any thread may call it; nobody may sleep on it when it is destroyed.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(FakeSleep sleep = FakeSleep::waits) noexcept : sleep_(sleep) {}

  [[nodiscard]] Timestamp wall_now() const override;
  [[nodiscard]] Instant now() const override;
  void sleep_until(Instant until) const override;

  /// 1 ms of real time at most, because a condition variable does not see this clock move.
  [[nodiscard]] std::chrono::nanoseconds wait_slice(Instant until) const override;

  /// Moves both clocks on and wakes sleepers. `by` must not be negative.
  void advance(std::chrono::nanoseconds by);

  /// Somebody sets the wall clock, forwards or backwards; the boot clock does not notice.
  void jump_wall(std::chrono::microseconds by);

  /// Threads inside `sleep_until` right now.
  [[nodiscard]] std::size_t sleepers() const;

 private:
  const FakeSleep sleep_;
  mutable Mutex mutex_;
  mutable std::condition_variable_any moved_;
  mutable Instant now_ MIZAN_GUARDED_BY(mutex_){std::chrono::seconds{1'000}};
  std::chrono::microseconds wall_at_boot_ MIZAN_GUARDED_BY(mutex_){
      std::chrono::seconds{1'767'268'800 - 1'000}};
  mutable std::size_t sleepers_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan::testkit
