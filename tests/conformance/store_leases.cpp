#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace mizan::conformance {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds long_ttl{60'000};
constexpr milliseconds short_ttl{60};

/// The token of a granted lease, or nothing when another owner holds it.
std::optional<std::int64_t> acquire(Store& store,
                                    std::string_view resource,
                                    std::string_view owner,
                                    milliseconds ttl = long_ttl) {
  const LeaseAttempt attempt =
      must(store.leases().acquire(Resource(resource), LockOwner(owner), ttl));
  if (const auto* granted = std::get_if<LeaseGranted>(&attempt)) return granted->token.value();
  return std::nullopt;
}

/// Waits until the resource can be acquired; the test stops when that takes too long.
std::int64_t acquire_in_time(Store& store, std::string_view resource, std::string_view owner) {
  const Deadline deadline = soon();
  while (system_clock().now() < deadline) {
    if (const auto token = acquire(store, resource, owner)) return *token;
    store.leases().wait_for_release(Resource(resource), milliseconds(5));
  }
  stop_test("never free", std::source_location::current());
}

TEST_P(StoreConformance, a_lease_excludes_other_owners_until_it_is_released) {
  const auto token = acquire(store(), "r", "a");
  ASSERT_TRUE(token);
  EXPECT_FALSE(acquire(store(), "r", "b"));
  EXPECT_TRUE(must(store().leases().release(Resource("r"), LockOwner("a"))));
  const auto next = acquire(store(), "r", "b");
  ASSERT_TRUE(next);
  EXPECT_GT(*next, *token);
}

TEST_P(StoreConformance, a_held_lease_says_how_long_it_is_held) {
  ASSERT_TRUE(acquire(store(), "r", "a", milliseconds(5'000)));
  const LeaseAttempt attempt =
      must(store().leases().acquire(Resource("r"), LockOwner("b"), long_ttl));
  const auto* held = std::get_if<LeaseHeld>(&attempt);
  ASSERT_NE(held, nullptr);
  EXPECT_GT(held->remaining, milliseconds(0));
  EXPECT_LE(held->remaining, milliseconds(5'000));
}

TEST_P(StoreConformance, the_same_owner_asking_again_gets_the_same_token) {
  const auto token = acquire(store(), "r", "a");
  EXPECT_EQ(acquire(store(), "r", "a"), token);
}

TEST_P(StoreConformance, a_lease_is_released_by_its_owner_only) {
  ASSERT_TRUE(acquire(store(), "r", "a"));
  EXPECT_FALSE(must(store().leases().release(Resource("r"), LockOwner("b"))));
  EXPECT_FALSE(must(store().leases().release(Resource("other"), LockOwner("a"))));
  EXPECT_FALSE(acquire(store(), "r", "b"));
  EXPECT_TRUE(must(store().leases().release(Resource("r"), LockOwner("a"))));
  EXPECT_FALSE(must(store().leases().release(Resource("r"), LockOwner("a"))));
}

TEST_P(StoreConformance, an_expired_lease_goes_to_the_next_owner_with_a_newer_token) {
  const auto token = acquire(store(), "r", "a", short_ttl);
  ASSERT_TRUE(token);
  const std::int64_t next = acquire_in_time(store(), "r", "b");
  EXPECT_GT(next, *token);
  EXPECT_FALSE(must(store().leases().renew(Resource("r"), LockOwner("a"), long_ttl)));
  EXPECT_FALSE(must(store().leases().release(Resource("r"), LockOwner("a"))));
}

TEST_P(StoreConformance, a_lease_is_renewed_by_its_owner_only_and_never_created) {
  EXPECT_FALSE(must(store().leases().renew(Resource("r"), LockOwner("a"), long_ttl)));
  EXPECT_TRUE(acquire(store(), "r", "b")) << "a renewal must not create a lease";
  EXPECT_FALSE(must(store().leases().renew(Resource("r"), LockOwner("a"), long_ttl)));
  EXPECT_TRUE(must(store().leases().renew(Resource("r"), LockOwner("b"), short_ttl)));
  // Renewal counts from now: also when that is earlier than before.
  EXPECT_GT(acquire_in_time(store(), "r", "c"), 0);
}

TEST_P(StoreConformance, the_greatest_token_ends_the_grants_with_an_error_that_says_what_to_do) {
  if (!GetParam().persistent) GTEST_SKIP() << "its leases and its fences do not know each other";
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  const auto apply_token = [this](std::int64_t token) {
    auto transaction = begin();
    static_cast<void>(
        must(transaction->advance_fence({Resource("r"), FenceToken{token}, LockOwner("client")})));
    must(transaction->commit());
  };
  const auto expect_none_left = [this] {
    const Deadline deadline = soon();
    auto attempt = store().leases().acquire(Resource("r"), LockOwner("b"), long_ttl);
    while (attempt && system_clock().now() < deadline) {
      ASSERT_TRUE(std::holds_alternative<LeaseHeld>(*attempt)) << "granted";
      store().leases().wait_for_release(Resource("r"), milliseconds(5));
      attempt = store().leases().acquire(Resource("r"), LockOwner("b"), long_ttl);
    }
    ASSERT_FALSE(attempt) << "held for ever";
    EXPECT_EQ(attempt.error().code, Code::invalid_request);
    EXPECT_EQ(attempt.error().where, "/resource");
    EXPECT_NE(attempt.error().detail.find("use another resource"), std::string::npos);
  };
  apply_token(greatest - 1);
  EXPECT_EQ(acquire(store(), "r", "a", short_ttl), greatest);
  expect_none_left();  // It was not given back; it expires.
  apply_token(greatest);
  expect_none_left();
}

TEST_P(StoreConformance, resources_are_leased_independently) {
  ASSERT_TRUE(acquire(store(), "r-1", "a"));
  EXPECT_TRUE(acquire(store(), "r-2", "b"));
  EXPECT_TRUE(acquire(store(), "R-1", "b"));
}

TEST_P(StoreConformance, tokens_grow_for_ever_also_after_opening_again) {
  std::int64_t last = -1;
  for (int i = 0; i < 20; ++i) {
    const std::string owner = "owner-" + std::to_string(i);
    const auto token = acquire(store(), "r", owner);
    ASSERT_TRUE(token);
    ASSERT_GT(*token, last);
    last = *token;
    ASSERT_TRUE(must(store().leases().release(Resource("r"), LockOwner(owner))));
    if (GetParam().persistent && i % 7 == 0) reopen();
  }
}

TEST_P(StoreConformance, a_lease_outlives_its_store_object) {
  if (!GetParam().persistent) GTEST_SKIP() << "it keeps nothing";
  const auto token = acquire(store(), "r", "a");
  reopen();
  EXPECT_FALSE(acquire(store(), "r", "b"));
  EXPECT_EQ(acquire(store(), "r", "a"), token);
}

TEST_P(StoreConformance, many_threads_never_hold_one_lease_together) {
  std::atomic<int> inside = 0;
  std::atomic<int> overlaps = 0;
  std::atomic<int> grants = 0;
  std::atomic<int> errors = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const LockOwner owner("owner-" + std::to_string(t));
        const Deadline deadline = soon(60);
        for (int round = 0; round < 25 && system_clock().now() < deadline;) {
          auto attempt = store().leases().acquire(Resource("r"), owner, long_ttl);
          if (!attempt) {
            ++errors;
            return;
          }
          if (!std::holds_alternative<LeaseGranted>(*attempt)) {
            std::this_thread::yield();
            continue;
          }
          if (++inside != 1) ++overlaps;
          ++grants;
          --inside;
          ++round;
          if (!store().leases().release(Resource("r"), owner)) ++errors;
        }
      });
    }
  }
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(grants, 100);
}

TEST_P(StoreConformance, leases_are_granted_beside_transactions) {
  create_with("alice", 100);
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.deposit("op-1", "alice", 1);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
  must(transaction->commit());
  EXPECT_TRUE(acquire(store(), "r", "a"));
  EXPECT_TRUE(must(store().leases().release(Resource("r"), LockOwner("a"))));
}

}  // namespace
}  // namespace mizan::conformance
