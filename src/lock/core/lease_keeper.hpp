#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"

#include "base/mutex.hpp"
#include "base/random.hpp"
#include "lock/core/held_lease.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace mizan::lock {

/// Keeps the leases of one lock service: renews them and tells their holders of a loss.
///
/// Two threads run in it. The renewing one talks to the table and may be stuck in a call for any
/// time; the watching one looks at the clock and delivers notices and never touches the table, so
/// that a table that hangs cannot delay a notice. No callback runs under a mutex.
///
/// Threads: any thread may call any member, but for the two `run_` members, which are the threads.
class LeaseKeeper {
 public:
  /// Both must live until `shut_down` has returned and both threads have ended.
  LeaseKeeper(LeaseTable& table, const Clock& clock) noexcept : table_(table), clock_(clock) {}

  void run_renewals() MIZAN_EXCLUDES(mutex_);
  void run_watch() MIZAN_EXCLUDES(mutex_);

  /// Every lease still held is lost; both threads end when they have delivered the notices and
  /// come back from the table. Waits for releases under way.
  void shut_down() MIZAN_EXCLUDES(mutex_);

  void add(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);

  [[nodiscard]] LeaseState state(const HeldLease& held) const MIZAN_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<LeaseLoss> loss(const HeldLease& held) const MIZAN_EXCLUDES(mutex_);
  [[nodiscard]] std::chrono::milliseconds remaining(const HeldLease& held) const
      MIZAN_EXCLUDES(mutex_);

  void reject_fence(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);

  /// When it returns, no callback of the lease is running or will run, unless a callback called it.
  Release release(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);

  /// As `release`, but the table keeps the lease.
  void hand_over(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);

  /// Gives back, soon and once, what an acquisition without an answer may have got.
  void release_later(const Resource& resource, const LockOwner& owner) MIZAN_EXCLUDES(mutex_);

  /// Blocks until then, or until cancelled.
  void pause(Instant until, const std::stop_token& cancel) MIZAN_EXCLUDES(mutex_);

 private:
  struct Notice {
    enum class Kind : std::uint8_t { stop, suspect, lost };
    Kind kind = Kind::stop;
    std::shared_ptr<HeldLease> held;
  };

  struct Abandoned {
    Resource resource;
    LockOwner owner;
  };

  /// The next thing to say to the table: the one or the other.
  struct Errand {
    std::shared_ptr<HeldLease> renewal;
    std::optional<Abandoned> abandoned;
  };

  using ScheduleKey = std::pair<Instant, const HeldLease*>;

  void apply(const std::shared_ptr<HeldLease>& held, const LeaseEvent& event)
      MIZAN_REQUIRES(mutex_);
  void reschedule(const std::shared_ptr<HeldLease>& held) MIZAN_REQUIRES(mutex_);
  void pass_time() MIZAN_REQUIRES(mutex_);

  std::optional<Errand> next_errand() MIZAN_EXCLUDES(mutex_);
  void renew(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);
  void give_back(const Abandoned& abandoned);

  std::optional<Notice> next_notice() MIZAN_EXCLUDES(mutex_);
  std::optional<Notice> next_notice_of(const HeldLease& held) MIZAN_EXCLUDES(mutex_);
  void deliver(const Notice& notice) MIZAN_EXCLUDES(mutex_);

  /// False: it was over already.
  bool begin_release(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);
  Release exchange_release(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);
  void settle_notices(const std::shared_ptr<HeldLease>& held) MIZAN_EXCLUDES(mutex_);

  LeaseTable& table_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::condition_variable_any watch_wake_;
  std::condition_variable_any errand_wake_;
  std::condition_variable_any settled_;  // A notice was delivered, or a release has ended.
  std::condition_variable_any pause_;    // Never notified; its waiters have an end of their own.
  std::map<ScheduleKey, std::shared_ptr<HeldLease>> schedule_ MIZAN_GUARDED_BY(mutex_);
  std::deque<Notice> notices_ MIZAN_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<HeldLease>> renewals_ MIZAN_GUARDED_BY(mutex_);
  std::deque<Abandoned> abandoned_ MIZAN_GUARDED_BY(mutex_);
  std::size_t releases_under_way_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::thread::id watcher_ MIZAN_GUARDED_BY(mutex_);
  bool stopping_ MIZAN_GUARDED_BY(mutex_) = false;
};

}  // namespace mizan::lock
