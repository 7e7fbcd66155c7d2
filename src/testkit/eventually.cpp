#include "testkit/eventually.hpp"

#include "mizan/clock.hpp"

namespace mizan::testkit {

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds patience) {
  const Clock& clock = system_clock();
  const Instant end = clock.now() + patience;
  while (!condition()) {
    const Instant now = clock.now();
    if (now >= end) return false;
    clock.sleep_until(now + std::chrono::milliseconds{1});
  }
  return true;
}

}  // namespace mizan::testkit
