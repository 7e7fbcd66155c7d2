#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"

#include "testkit/eventually.hpp"
#include "testkit/faulty_lease_table.hpp"
#include "tests/conformance/needed_server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

namespace mizan::conformance {

/// A lease table with everything that it stands on.
class LockWorld {
 public:
  LockWorld() = default;
  LockWorld(const LockWorld&) = delete;
  LockWorld& operator=(const LockWorld&) = delete;
  virtual ~LockWorld() = default;

  /// May be another object after `restart`.
  virtual LeaseTable& table() = 0;
  virtual const Clock& clock() = 0;

  /// Lets time go by: moves a fake clock on, or sleeps on a real one.
  virtual void pass(std::chrono::nanoseconds time) = 0;

  /// Ends whatever keeps the leases and starts it again over the same data.
  virtual void restart() {}
};

/// A lock as the suite sees it. Registering one takes about twenty lines: lock_memory.cpp.
struct LockCandidate {
  std::string name;
  /// Null, after a skip or a failure, where what it needs is not there.
  std::function<std::unique_ptr<LockWorld>()> open_empty;

  /// Every lease of the suite; tests let parts of it pass.
  std::chrono::milliseconds ttl{10'000};

  /// Deviations; each is empty ("none") or the reason, which the skipped test prints.
  std::string forgets_at_restart;
  NeededServer needs = {};
  std::string needs_real_time;  ///< Skips what must see time stand still; state a short `ttl`.

  /// What the holder of a lease hears that somebody else holds now.
  LeaseLoss taken_away = LeaseLoss::not_mine;
};

inline void PrintTo(const LockCandidate& candidate, std::ostream* out) {
  *out << candidate.name;
}

using std::chrono::milliseconds;
using testkit::eventually;
using testkit::LeaseCall;
using testkit::LeaseFault;

inline const Resource resource{"wallet:alice"};
inline const LockOwner stranger{"stranger"};

/// Counts what a holder is told, and remembers the last reason.
struct Notices {
  std::atomic<int> suspect = 0;
  std::atomic<int> lost = 0;
  std::atomic<LeaseLoss> reason{};

  void listen(AcquireRequest& request) {
    request.on_suspect = [this] { ++suspect; };
    request.on_lost = [this](LeaseLoss why) {
      reason = why;
      ++lost;
    };
  }
};

/// One lock service over a candidate's table, with faults in between, and helpers that state only
/// what a test is about.
class LockConformance : public ::testing::TestWithParam<LockCandidate> {
 protected:
  void SetUp() override {
    if (!is_there(GetParam().needs)) return;
    world_ = GetParam().open_empty();
    if (world_) start();
  }

  void TearDown() override {
    if (table_) table_->let_go();
    service_.reset();
    table_.reset();
    world_.reset();
  }

  void start() {
    table_ = std::make_unique<testkit::FaultyLeaseTable>(world_->table());
    service_ = make_lock_service("candidate", *table_, world_->clock());
  }

  void restart() {
    service_.reset();
    table_.reset();
    world_->restart();
    start();
  }

  /// Everything below the service, without the faults.
  LeaseTable& bare() { return world_->table(); }

  Instant now() { return world_->clock().now(); }

  void pass(std::chrono::nanoseconds time) { world_->pass(time); }

  static milliseconds ttl() { return GetParam().ttl; }

  static AcquireRequest request(const Resource& name = resource) {
    AcquireRequest wanted;
    wanted.resource = name;
    wanted.ttl = ttl();
    return wanted;
  }

  /// Waits in the service's time, which stands still unless the test moves it.
  AcquireRequest waiting_request(milliseconds wait = std::chrono::hours{1}) {
    AcquireRequest wanted = request();
    wanted.wait_until = now() + wait;
    return wanted;
  }

  Lease take(AcquireRequest wanted = request()) {
    auto outcome = service_->acquire(std::move(wanted));
    if (outcome && std::holds_alternative<Lease>(*outcome)) {
      return std::get<Lease>(std::move(outcome).value());
    }
    ADD_FAILURE() << "not acquired: "
                  << (outcome ? std::to_string(outcome->index()) : outcome.error().detail);
    std::abort();
  }

  std::future<Result<AcquireOutcome>> take_in_thread(AcquireRequest wanted) {
    return std::async(std::launch::async, [this, moved = std::move(wanted)]() mutable {
      return service_->acquire(std::move(moved));
    });
  }

  template <class Value>
  static bool is_ready(const std::future<Value>& future) {
    return future.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
  }

  /// Lets time go by in small steps until the call has returned: a table may wait in the
  /// service's time for a release that it has not heard of.
  template <class Value>
  bool finishes(const std::future<Value>& future, milliseconds step = milliseconds{1}) {
    return eventually([&] {
      if (!is_ready(future)) pass(step);
      return is_ready(future);
    });
  }

  bool has_tried(std::size_t calls) {
    return eventually([&] { return table_->calls(LeaseCall::acquire) >= calls; });
  }

  /// The token when the table grants it to this owner, nothing when it is held by another one.
  std::optional<FenceToken> take_bare(const LockOwner& owner, const Resource& name = resource) {
    const auto answer = bare().acquire(name, owner, ttl());
    if (!answer) {
      ADD_FAILURE() << answer.error().where << ": " << answer.error().detail;
      return std::nullopt;
    }
    const auto* granted = std::get_if<LeaseGranted>(&*answer);
    return granted == nullptr ? std::nullopt : std::optional{granted->token};
  }

  bool is_free(const Resource& name = resource) {
    const LockOwner probe{"probe"};
    const bool granted = take_bare(probe, name).has_value();
    if (granted) {
      EXPECT_TRUE(*bare().release(name, probe));
    }
    return granted;
  }

  bool renewals_reach(std::size_t count) {
    return eventually([&] { return table_->calls(LeaseCall::renew) >= count; });
  }

  std::unique_ptr<LockWorld> world_;
  std::unique_ptr<testkit::FaultyLeaseTable> table_;
  std::unique_ptr<LockService> service_;
};

inline std::string candidate_name(const ::testing::TestParamInfo<LockCandidate>& candidate) {
  return candidate.param.name;
}

}  // namespace mizan::conformance
