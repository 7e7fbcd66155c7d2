#include "mizan/lock.hpp"

#include "testkit/eventually.hpp"
#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::lock {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Grants everything, remembers how long it was given, and renews as it is told.
class TellingTable final : public LeaseTable {
 public:
  Result<LeaseAttempt> acquire(const Resource&, const LockOwner&, milliseconds ttl) override {
    return LeaseAttempt{LeaseGranted{FenceToken{1}, ttl}};
  }

  Result<LeaseAttempt> acquire_within(const Resource& resource,
                                      const LockOwner& owner,
                                      milliseconds ttl,
                                      milliseconds limit) override {
    limit_ = limit;
    return acquire(resource, owner, ttl);
  }

  Result<bool> renew(const Resource&, const LockOwner&, milliseconds) override { return true; }

  Result<Renewal> extend(const Resource&, const LockOwner&, milliseconds) override {
    return renewal_.load();
  }

  Result<bool> release(const Resource&, const LockOwner&) override { return true; }

  void answer(Renewal renewal) { renewal_ = renewal; }

  [[nodiscard]] std::optional<milliseconds> limit() const { return limit_; }

 private:
  std::optional<milliseconds> limit_;
  std::atomic<Renewal> renewal_{Renewal::extended};
};

/// Answers as it was told to, one after the other and the last one from then on, which takes all
/// the time that there is.
class ScriptedTable final : public LeaseTable {
 public:
  ScriptedTable(testkit::FakeClock& clock, std::vector<Result<LeaseAttempt>> answers)
      : clock_(clock), answers_(std::move(answers)) {}

  Result<LeaseAttempt> acquire(const Resource&, const LockOwner&, milliseconds) override {
    return unavailable("test", "asked without a limit");
  }

  Result<LeaseAttempt> acquire_within(const Resource&,
                                      const LockOwner&,
                                      milliseconds,
                                      milliseconds limit) override {
    const std::size_t index = asked_++;
    if (index + 1 >= answers_.size()) clock_.advance(limit);
    return answers_[std::min(index, answers_.size() - 1)];
  }

  Result<bool> renew(const Resource&, const LockOwner&, milliseconds) override { return false; }

  Result<bool> release(const Resource&, const LockOwner&) override { return false; }

  void wait_for_release(const Resource&, milliseconds) override {}

 private:
  testkit::FakeClock& clock_;
  std::vector<Result<LeaseAttempt>> answers_;
  std::size_t asked_ = 0;
};

Error perhaps_granted() {
  return {Code::unknown, Certainty::unknown, Retry::after_backoff, "test", "no answer"};
}

class TableLockTest : public ::testing::Test {
 protected:
  Lease take(milliseconds ttl, std::optional<milliseconds> wait = {}) {
    AcquireRequest request;
    request.resource = Resource{"r"};
    request.ttl = ttl;
    if (wait) request.wait_until = clock_.now() + *wait;
    auto outcome = service_->acquire(std::move(request));
    EXPECT_TRUE(outcome && std::holds_alternative<Lease>(*outcome));
    return std::get<Lease>(std::move(*outcome));
  }

  /// What somebody who states an owner is told, who waits for 300 ms.
  Result<AcquireOutcome> told_after(std::vector<Result<LeaseAttempt>> answers) {
    AcquireRequest request;
    request.resource = Resource{"r"};
    request.owner = LockOwner{"me"};
    request.wait_until = clock_.now() + milliseconds{300};
    ScriptedTable table(clock_, std::move(answers));
    const auto service = make_lock_service("test", table, clock_);
    // Pauses end by the clock alone.
    const std::jthread ticking([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        clock_.advance(milliseconds{1});
        std::this_thread::yield();
      }
    });
    return service->acquire(std::move(request));
  }

  /// How a lease ends whose renewal is answered like that.
  std::optional<LeaseLoss> loss_after(Renewal renewal) {
    table_.answer(renewal);
    const Lease lease = take(seconds{10});
    clock_.advance(seconds{5});
    EXPECT_TRUE(testkit::eventually([&] { return lease.lost().stop_requested(); }));
    return lease.loss();
  }

  testkit::FakeClock clock_;
  TellingTable table_;
  std::unique_ptr<LockService> service_ = make_lock_service("test", table_, clock_);
};

TEST_F(TableLockTest, gives_the_table_until_the_callers_deadline) {
  static_cast<void>(take(seconds{10}, milliseconds{300}));
  EXPECT_EQ(table_.limit(), milliseconds{300});
}

TEST_F(TableLockTest, gives_the_table_no_longer_than_the_lease_would_last) {
  static_cast<void>(take(seconds{10}));
  EXPECT_EQ(table_.limit(), seconds{10});
  static_cast<void>(take(seconds{2}, seconds{30}));
  EXPECT_EQ(table_.limit(), seconds{2});
}

TEST_F(TableLockTest, leaves_half_of_the_time_to_those_who_go_on_without_the_lock) {
  AcquireRequest request;
  request.resource = Resource{"r"};
  request.wait_until = clock_.now() + seconds{4};
  request.outage_wait.emplace();
  ASSERT_TRUE(service_->acquire(std::move(request)));
  EXPECT_EQ(table_.limit(), seconds{2});
}

TEST_F(TableLockTest, gives_the_table_the_time_for_one_exchange_at_least) {
  static_cast<void>(take(seconds{10}, milliseconds{0}));
  EXPECT_EQ(table_.limit(), milliseconds{100});
  static_cast<void>(take(seconds{10}, milliseconds{-5'000}));
  EXPECT_EQ(table_.limit(), milliseconds{100});
  static_cast<void>(take(milliseconds{50}));
  EXPECT_EQ(table_.limit(), milliseconds{100});
}

TEST_F(TableLockTest, says_what_it_heard_when_only_the_last_answer_is_missing) {
  const auto outcome =
      told_after({LeaseAttempt{LeaseHeld{seconds{7}}}, unavailable("test", "no answer")});
  ASSERT_TRUE(outcome) << outcome.error().detail;
  ASSERT_TRUE(std::holds_alternative<LockWaitTimedOut>(*outcome));
  EXPECT_EQ(std::get<LockWaitTimedOut>(*outcome).remaining, seconds{7});
}

TEST_F(TableLockTest, does_not_say_that_others_hold_what_was_perhaps_granted) {
  const auto outcome = told_after({LeaseAttempt{LeaseHeld{seconds{7}}}, perhaps_granted()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().certainty, Certainty::unknown);
}

TEST_F(TableLockTest, does_not_forget_that_it_was_perhaps_granted) {
  const auto outcome = told_after({perhaps_granted(), unavailable("test", "nobody listens")});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().certainty, Certainty::unknown);
}

TEST_F(TableLockTest, knows_who_holds_it_once_that_is_said) {
  const auto outcome = told_after({perhaps_granted(), LeaseAttempt{LeaseHeld{seconds{7}}}});
  ASSERT_TRUE(outcome) << outcome.error().detail;
  EXPECT_TRUE(std::holds_alternative<LockWaitTimedOut>(*outcome));
}

TEST_F(TableLockTest, tells_the_holder_why_the_lease_is_lost) {
  EXPECT_EQ(loss_after(Renewal::not_mine), LeaseLoss::not_mine);
  EXPECT_EQ(loss_after(Renewal::taken), LeaseLoss::taken);
  EXPECT_EQ(loss_after(Renewal::expired), LeaseLoss::expired);
  EXPECT_EQ(loss_after(Renewal::epoch_changed), LeaseLoss::epoch_changed);
  EXPECT_EQ(loss_after(Renewal::server_incarnation), LeaseLoss::server_incarnation);
}

}  // namespace
}  // namespace mizan::lock
