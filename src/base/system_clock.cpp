#include "mizan/clock.hpp"

#include "base/assert.hpp"

#include <cerrno>
#include <ctime>

namespace mizan {

namespace {

std::chrono::nanoseconds read_clock(clockid_t id) noexcept {
  timespec time{};
  const int status = clock_gettime(id, &time);
  MIZAN_ASSERT(status == 0);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Timestamp wall_now() const override {
    return Timestamp{
        std::chrono::duration_cast<std::chrono::microseconds>(read_clock(CLOCK_REALTIME))};
  }

  [[nodiscard]] Instant now() const override { return Instant{read_clock(CLOCK_BOOTTIME)}; }

  void sleep_until(Instant until) const override {
    const std::chrono::nanoseconds since_boot = until.time_since_epoch();
    if (since_boot <= std::chrono::nanoseconds::zero()) return;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since_boot);
    timespec time{};
    time.tv_sec = seconds.count();
    time.tv_nsec = (since_boot - seconds).count();
    // A signal ends the sleep early; the target is absolute, so going on loses nothing.
    while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nullptr) == EINTR) {
    }
  }
};

}  // namespace

Clock::~Clock() = default;

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace mizan
