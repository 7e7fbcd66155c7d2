#include "bench/lock_load.hpp"

#include "mizan/clock.hpp"

#include "base/mutex.hpp"
#include "bench/interrupt.hpp"
#include "bench/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::bench {

namespace {

constexpr auto patience = std::chrono::seconds(30);
constexpr auto renewal_ttl = std::chrono::milliseconds(1'000);
constexpr auto settle_time = std::chrono::milliseconds(2);
constexpr auto poll_interval = std::chrono::milliseconds(5);

Resource resource_name(std::size_t number) {
  return Resource{fmt::format("bench/{}", number)};
}

Result<Lease> require_lease(Result<AcquireOutcome> outcome) {
  if (!outcome) return std::move(outcome).error();
  if (auto* lease = std::get_if<Lease>(&*outcome)) return std::move(*lease);
  return internal_error("bench", "a lock that nobody else uses was busy");
}

Result<std::uint64_t> acquire_and_release(LockService& service, const Resource& resource) {
  AcquireRequest request;
  request.resource = resource;
  auto lease = require_lease(service.acquire(std::move(request)));
  if (!lease) return std::move(lease).error();
  if (lease->release() != Release::released) {
    return internal_error("bench", "a lease was lost within a moment");
  }
  return std::uint64_t{0};
}

/// Counts the renewals on their way to the table.
class WatchedTable final : public LeaseTable {
 public:
  explicit WatchedTable(LeaseTable& table) : table_(table) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    return table_.acquire(resource, owner, ttl);
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    const auto start = Ticks::now();
    auto answer = table_.renew(resource, owner, ttl);
    const auto passed = nanoseconds_between(start, Ticks::now());
    const MutexLock lock(mutex_);
    latency_.record(passed);
    return answer;
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return table_.release(resource, owner);
  }

  void wait_for_release(const Resource& resource,
                        std::chrono::milliseconds until_at_most) override {
    table_.wait_for_release(resource, until_at_most);
  }

  [[nodiscard]] Histogram latency() {
    const MutexLock lock(mutex_);
    return latency_;
  }

 private:
  LeaseTable& table_;
  Mutex mutex_;
  Histogram latency_ MIZAN_GUARDED_BY(mutex_);
};

/// The other side of a hand-over: waits for the lock on a thread of its own, once per round.
class Waiter {
 public:
  Waiter(LockService& service, const Resource& resource)
      : service_(service), resource_(resource), thread_([this] { run(); }) {}

  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  ~Waiter() {
    closing_ = true;
    go_.release();
  }

  /// Begins to wait; returns once it is about to ask.
  void begin() {
    go_.release();
    asking_.acquire();
  }

  /// When it got the lock, which it has given back by then.
  Result<Ticks::time_point> finish() {
    done_.acquire();
    if (error_) return *error_;
    return acquired_at_;
  }

 private:
  void run() {
    while (true) {
      go_.acquire();
      if (closing_) return;
      asking_.release();
      AcquireRequest request;
      request.resource = resource_;
      request.wait_until = system_clock().now() + patience;
      auto lease = require_lease(service_.acquire(std::move(request)));
      acquired_at_ = Ticks::now();
      if (!lease) {
        error_ = std::move(lease).error();
      } else {
        lease->release();
      }
      done_.release();
    }
  }

  // Handed back and forth by the semaphores.
  LockService& service_;
  Resource resource_;
  bool closing_ = false;
  Ticks::time_point acquired_at_;
  std::optional<Error> error_;
  std::binary_semaphore go_{0};
  std::binary_semaphore asking_{0};
  std::binary_semaphore done_{0};
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace

Result<LoadResult> run_lock_pairs(LockService& service, std::size_t callers, const Limits& limits) {
  CallerLoad load;
  load.callers = callers;
  load.limits = limits;
  return run_callers(load, [&](std::size_t number) -> Caller {
    return [&service, resource = resource_name(number)] {
      return acquire_and_release(service, resource);
    };
  });
}

Result<RenewalResult> run_renewals(LeaseTable& table, std::size_t leases, double seconds) {
  WatchedTable watched(table);
  const auto service = make_lock_service("bench", watched, system_clock());
  std::vector<Lease> held;
  for (std::size_t i = 0; i < leases; ++i) {
    AcquireRequest request;
    request.resource = resource_name(i);
    request.ttl = renewal_ttl;
    auto lease = require_lease(service->acquire(std::move(request)));
    if (!lease) return std::move(lease).error();
    held.push_back(std::move(*lease));
  }
  const Histogram before = watched.latency();
  const auto start = Ticks::now();
  const auto end = later(start, seconds);
  while (Ticks::now() < end && !is_interrupted()) std::this_thread::sleep_for(poll_interval);
  RenewalResult result;
  result.renewals.latency = watched.latency();
  result.renewals.seconds = seconds_between(start, Ticks::now());
  result.renewals.transfers = result.renewals.latency.count() - before.count();
  result.lost =
      static_cast<std::size_t>(std::count_if(held.begin(), held.end(), [](const Lease& lease) {
        return lease.state() == LeaseState::lost;
      }));
  return result;
}

Result<LoadResult> run_hand_overs(LockService& service, std::size_t count) {
  const Resource resource = resource_name(0);
  LoadResult result;
  Waiter waiter(service, resource);
  const auto start = Ticks::now();
  for (std::size_t i = 0; i < count && !is_interrupted(); ++i) {
    AcquireRequest request;
    request.resource = resource;
    auto lease = require_lease(service.acquire(std::move(request)));
    if (!lease) return std::move(lease).error();
    waiter.begin();
    // Nothing tells from outside that the waiter has begun to wait; it is there by now.
    std::this_thread::sleep_for(settle_time);
    const auto released_at = Ticks::now();
    lease->release();
    const auto acquired_at = waiter.finish();
    if (!acquired_at) return acquired_at.error();
    result.latency.record(nanoseconds_between(released_at, *acquired_at));
    ++result.transfers;
  }
  result.seconds = seconds_between(start, Ticks::now());
  return result;
}

}  // namespace mizan::bench
