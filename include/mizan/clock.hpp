#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// A point in wall-clock time, UTC, microseconds. Recorded in the ledger; never used for timeouts.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// A point on a clock that never goes back and that counts the time a machine is suspended
/// (CLOCK_BOOTTIME). Timeouts and leases use it.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
};

using Instant = BootClock::time_point;

/// An absolute point after which nobody waits any longer.
using Deadline = Instant;

/// Time as a parameter, so that tests own it. Any thread may call it.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock();

  [[nodiscard]] virtual Timestamp wall_now() const = 0;
  [[nodiscard]] virtual Instant now() const = 0;

  /// Blocks until `until` or a little later. A fake clock returns when its time is moved on.
  virtual void sleep_until(Instant until) const = 0;

  /// How long a thread that waits on a condition variable until `until` may wait before it asks
  /// `now()` again: condition variables do not count the time a machine is suspended, and a fake
  /// clock moves when it likes. 0 when `until` has passed.
  [[nodiscard]] virtual std::chrono::nanoseconds wait_slice(Instant until) const {
    constexpr std::chrono::nanoseconds longest = std::chrono::seconds{1};
    const Instant asked_at = now();
    if (until <= asked_at) return std::chrono::nanoseconds::zero();
    return until >= asked_at + longest ? longest : until - asked_at;
  }
};

/// The machine's clocks. Lives for the whole program.
[[nodiscard]] const Clock& system_clock();

/// RFC 3339 in UTC with microseconds, e.g. `2026-03-01T12:00:00.000001Z`.
[[nodiscard]] std::string to_rfc3339(Timestamp time);

/// Reads RFC 3339 (`Z` or a numeric offset, 0–9 decimals cut to microseconds) and plain dates
/// (`2026-03-01`, midnight UTC).
[[nodiscard]] std::optional<Timestamp> parse_rfc3339(std::string_view text);

}  // namespace mizan
