#include "mizan/lock.hpp"

#include "testkit/eventually.hpp"
#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <variant>

namespace mizan {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testkit::FakeClock;

const Resource resource{"wallet:alice"};
const LockOwner owner{"owner"};

/// Stands still and lets waiters sleep: nothing but a wake-up ends a wait on it.
class PatientClock final : public Clock {
 public:
  [[nodiscard]] Timestamp wall_now() const override { return {}; }

  [[nodiscard]] Instant now() const override { return Instant{seconds{1'000}}; }

  void sleep_until(Instant /*until*/) const override {}

  [[nodiscard]] std::chrono::nanoseconds wait_slice(Instant /*until*/) const override {
    return hours{1};
  }
};

FenceToken token_of(const Result<LeaseAttempt>& attempt) {
  return std::get<LeaseGranted>(*attempt).token;
}

TEST(memory_lease_table, wakes_whoever_waits_for_a_release) {
  const PatientClock clock;
  const auto table = make_memory_lease_table(clock);
  ASSERT_TRUE(table->acquire(resource, owner, hours{1}));
  auto waiting = std::async(std::launch::async,
                            [&] { table->wait_for_release(resource, milliseconds{3'600'000}); });
  EXPECT_EQ(waiting.wait_for(milliseconds{30}), std::future_status::timeout);
  EXPECT_TRUE(*table->release(resource, owner));
  EXPECT_TRUE(testkit::eventually(
      [&] { return waiting.wait_for(seconds{0}) == std::future_status::ready; }));
}

TEST(memory_lease_table, does_not_wait_for_what_is_free) {
  // A release between a refused attempt and the wait must not be missed.
  const PatientClock clock;
  const auto table = make_memory_lease_table(clock);
  auto waiting = std::async(std::launch::async,
                            [&] { table->wait_for_release(resource, milliseconds{3'600'000}); });
  const bool came_back = testkit::eventually(
      [&] { return waiting.wait_for(seconds{0}) == std::future_status::ready; });
  EXPECT_TRUE(came_back);
  if (came_back) return;
  // Whoever waits in spite of that must be let go, or this test would not end.
  ASSERT_TRUE(table->acquire(resource, owner, hours{1}));
  EXPECT_TRUE(*table->release(resource, owner));
}

TEST(memory_lease_table, tokens_of_a_new_table_are_above_those_of_an_older_one) {
  FakeClock clock;
  FenceToken last{0};
  {
    const auto table = make_memory_lease_table(clock);
    for (int round = 0; round < 100; ++round) {
      last = token_of(table->acquire(resource, owner, seconds{1}));
      ASSERT_TRUE(*table->release(resource, owner));
    }
  }
  clock.advance(milliseconds{1});
  EXPECT_GT(token_of(make_memory_lease_table(clock)->acquire(resource, owner, seconds{1})), last);
}

TEST(memory_lease_table, forgets_thousands_of_expired_leases_and_keeps_tokens_growing) {
  FakeClock clock;
  const auto table = make_memory_lease_table(clock);
  FenceToken last{0};
  for (int index = 0; index < 5'000; ++index) {
    const Resource name{"wallet:" + std::to_string(index % 2'500)};
    const FenceToken token = token_of(table->acquire(name, owner, milliseconds{50}));
    ASSERT_GT(token, last);
    last = token;
    clock.advance(milliseconds{50});
  }
}

TEST(memory_lock, holds_a_lease_on_the_machines_clock) {
  const auto service = make_memory_lock(system_clock());
  AcquireRequest request;
  request.resource = resource;
  request.ttl = seconds{2};
  auto outcome = service->acquire(request);
  ASSERT_TRUE(outcome);
  auto& lease = std::get<Lease>(*outcome);
  // The watching thread has to wake by itself, at 40 % of the TTL.
  milliseconds before = lease.remaining();
  EXPECT_TRUE(testkit::eventually([&] {
    const milliseconds left = lease.remaining();
    const bool was_renewed = left > before + milliseconds{100};
    before = left;
    return was_renewed;
  }));
  EXPECT_EQ(lease.release(), Release::released);
}

TEST(memory_lock, tells_at_once_of_a_loss_that_time_did_not_bring) {
  const PatientClock clock;
  const auto service = make_memory_lock(clock);
  std::atomic<bool> told = false;
  AcquireRequest request;
  request.resource = resource;
  request.on_lost = [&](LeaseLoss /*why*/) { told = true; };
  auto outcome = service->acquire(request);
  ASSERT_TRUE(outcome);
  std::get<Lease>(*outcome).report_fence_rejected();
  EXPECT_TRUE(testkit::eventually([&] { return told.load(); }));
}

TEST(no_lock, grants_everything_to_everybody_with_growing_tokens) {
  FakeClock clock;
  const auto service = make_no_lock(clock);
  AcquireRequest request;
  request.resource = resource;
  auto first = service->acquire(request);
  auto second = service->acquire(request);
  ASSERT_TRUE(first && second);
  EXPECT_GT(std::get<Lease>(*second).token(), std::get<Lease>(*first).token());
  EXPECT_EQ(std::get<Lease>(*first).release(), Release::released);
  EXPECT_EQ(service->name(), "none");
}

TEST(lock_text, names_states_and_losses_as_in_metrics) {
  EXPECT_EQ(to_string(LeaseState::suspect), "suspect");
  EXPECT_EQ(to_string(LeaseLoss::not_mine), "not_mine");
  EXPECT_EQ(to_string(LeaseLoss::max_lifetime), "max_lifetime");
}

}  // namespace
}  // namespace mizan
