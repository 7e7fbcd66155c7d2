#include "testkit/fake_clock.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace mizan::testkit {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

Timestamp FakeClock::wall_now() const {
  const MutexLock lock(mutex_);
  return Timestamp{wall_at_boot_ + std::chrono::floor<microseconds>(now_.time_since_epoch())};
}

Instant FakeClock::now() const {
  const MutexLock lock(mutex_);
  return now_;
}

void FakeClock::sleep_until(Instant until) const {
  MutexLock lock(mutex_);
  if (sleep_ == FakeSleep::advances) {
    now_ = std::max(now_, until);
    moved_.notify_all();
    return;
  }
  ++sleepers_;
  while (now_ < until) moved_.wait(lock);
  --sleepers_;
}

nanoseconds FakeClock::wait_slice(Instant until) const {
  const MutexLock lock(mutex_);
  return now_ < until ? milliseconds{1} : milliseconds{0};
}

void FakeClock::advance(nanoseconds by) {
  MIZAN_ASSERT(by >= nanoseconds::zero());
  const MutexLock lock(mutex_);
  now_ += by;
  moved_.notify_all();
}

void FakeClock::jump_wall(microseconds by) {
  const MutexLock lock(mutex_);
  wall_at_boot_ += by;
}

std::size_t FakeClock::sleepers() const {
  const MutexLock lock(mutex_);
  return sleepers_;
}

}  // namespace mizan::testkit
