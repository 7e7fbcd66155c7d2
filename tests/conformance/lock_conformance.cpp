#include "tests/conformance/lock_conformance.hpp"

#include <string>
#include <thread>
#include <vector>

// What every lock promises at any one moment: exclusion, tokens, owners, waiting. What happens to
// a lease as time passes is in lock_lease.cpp.

namespace mizan::conformance {

// Exclusion.

TEST_P(LockConformance, a_held_resource_is_busy_for_others) {
  const Lease lease = take();
  EXPECT_EQ(lease.state(), LeaseState::held);
  EXPECT_GT(lease.remaining(), milliseconds{0});
  EXPECT_LT(lease.remaining(), ttl()) << "the margin is kept back";

  const auto second = service_->acquire(request());
  ASSERT_TRUE(second);
  ASSERT_TRUE(std::holds_alternative<LockBusy>(*second));
  EXPECT_GT(std::get<LockBusy>(*second).remaining, milliseconds{0});
  EXPECT_LE(std::get<LockBusy>(*second).remaining, ttl());
}

TEST_P(LockConformance, excludes_the_clients_of_another_service_too) {
  const auto other = make_lock_service("other", bare(), world_->clock());
  Lease lease = take();
  auto refused = other->acquire(request());
  ASSERT_TRUE(refused);
  EXPECT_TRUE(std::holds_alternative<LockBusy>(*refused));

  EXPECT_EQ(lease.release(), Release::released);
  auto granted = other->acquire(request());
  ASSERT_TRUE(granted);
  EXPECT_TRUE(std::holds_alternative<Lease>(*granted));
}

TEST_P(LockConformance, other_resources_are_free) {
  const Lease lease = take();
  const Lease other = take(request(Resource{"wallet:bob"}));
  EXPECT_EQ(other.resource(), Resource{"wallet:bob"});
  EXPECT_NE(lease.owner(), other.owner()) << "owners are random per acquisition";
}

TEST_P(LockConformance, many_threads_hold_it_one_at_a_time_in_order_of_token) {
  constexpr int threads = 6;
  constexpr int rounds = 15;
  std::atomic<int> inside = 0;
  std::atomic<int> violations = 0;
  std::vector<std::int64_t> tokens;  // Guarded by the lock under test and nothing else.
  const auto work = [&] {
    for (int round = 0; round < rounds; ++round) {
      Lease lease = take(waiting_request());
      if (++inside != 1) ++violations;
      tokens.push_back(lease.token().value());
      --inside;
      if (lease.release() != Release::released) ++violations;
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < threads; ++worker) workers.emplace_back(work);
  }
  EXPECT_EQ(violations, 0);
  ASSERT_EQ(tokens.size(), static_cast<std::size_t>(threads * rounds));
  for (std::size_t index = 1; index < tokens.size(); ++index) {
    ASSERT_GT(tokens[index], tokens[index - 1]) << "at " << index;
  }
}

// Tokens.

TEST_P(LockConformance, tokens_grow_across_release_and_expiry) {
  std::optional<FenceToken> last;
  for (int round = 0; round < 3; ++round) {
    const auto released = take_bare(LockOwner{"a"});
    ASSERT_TRUE(released);
    EXPECT_GT(released->value(), 0);
    if (last) {
      EXPECT_GT(*released, *last) << "after an expiry";
    }
    EXPECT_TRUE(*bare().release(resource, LockOwner{"a"}));

    const auto expired = take_bare(LockOwner{"b"});
    ASSERT_TRUE(expired);
    EXPECT_GT(*expired, *released) << "after a release";
    last = expired;
    pass(ttl() + milliseconds{1});
  }
}

TEST_P(LockConformance, an_owner_gets_a_new_token_after_its_own_lease_has_expired) {
  const auto first = take_bare(stranger);
  pass(ttl() + milliseconds{1});
  const auto second = take_bare(stranger);
  ASSERT_TRUE(first && second);
  EXPECT_GT(*second, *first) << "somebody may have held it in between";
}

TEST_P(LockConformance, a_busy_attempt_mints_no_token) {
  // How far apart two neighbouring tokens are is the table's business; that attempts in between
  // change nothing is not.
  const auto step = [this](const Resource& name, int attempts) -> std::int64_t {
    const auto first = take_bare(LockOwner{"a"}, name);
    for (int attempt = 0; attempt < attempts; ++attempt) {
      EXPECT_FALSE(take_bare(LockOwner{"b"}, name));
    }
    EXPECT_TRUE(*bare().release(name, LockOwner{"a"}));
    const auto second = take_bare(LockOwner{"c"}, name);
    return second->value() - first->value();
  };
  EXPECT_EQ(step(Resource{"quiet"}, 0), step(Resource{"busy"}, 5));
}

TEST_P(LockConformance, leases_and_tokens_survive_a_restart) {
  if (!GetParam().forgets_at_restart.empty()) GTEST_SKIP() << GetParam().forgets_at_restart;
  const auto before = take_bare(LockOwner{"a"});
  restart();
  EXPECT_FALSE(take_bare(LockOwner{"b"})) << "it is still held";
  EXPECT_EQ(take_bare(LockOwner{"a"}), before) << "by the same owner, with the same token";
  pass(ttl() + milliseconds{1});
  const auto after = take_bare(LockOwner{"b"});
  ASSERT_TRUE(after);
  EXPECT_GT(*after, *before);
  EXPECT_TRUE(*bare().release(resource, LockOwner{"b"}));
  restart();
  const auto last = take_bare(LockOwner{"c"});
  ASSERT_TRUE(last);
  EXPECT_GT(*last, *after) << "also of a resource that nobody held at the restart";
}

TEST_P(LockConformance, a_lease_carries_what_a_fence_needs) {
  const Lease lease = take();
  EXPECT_EQ(lease.fence().resource, resource);
  EXPECT_EQ(lease.fence().token, lease.token());
  EXPECT_EQ(lease.fence().owner, lease.owner());
  EXPECT_EQ(lease.owner().size(), 32U) << "128 random bits";
}

// Owners.

TEST_P(LockConformance, release_by_a_stranger_changes_nothing) {
  const Lease lease = take();
  EXPECT_FALSE(*service_->release(resource, stranger));
  EXPECT_FALSE(*service_->release(Resource{"nobody:holds-this"}, stranger));
  EXPECT_FALSE(is_free());
}

TEST_P(LockConformance, renewal_by_a_stranger_changes_nothing) {
  ASSERT_TRUE(take_bare(LockOwner{"a"}));
  pass(ttl() / 2);
  EXPECT_FALSE(*service_->renew(resource, stranger, ttl()));
  pass(ttl() / 2 + milliseconds{1});
  EXPECT_TRUE(is_free()) << "it ended when it was due";
}

TEST_P(LockConformance, renewal_extends_to_a_whole_ttl_from_now) {
  ASSERT_TRUE(take_bare(LockOwner{"a"}));
  pass(ttl() / 2);
  EXPECT_TRUE(*service_->renew(resource, LockOwner{"a"}, ttl()));
  pass(ttl() * 9 / 10);
  EXPECT_FALSE(is_free());
  pass(ttl() / 10 + milliseconds{1});
  EXPECT_TRUE(is_free());
}

TEST_P(LockConformance, renewal_never_creates_a_lease_again) {
  ASSERT_TRUE(take_bare(LockOwner{"a"}));
  pass(ttl() + milliseconds{1});
  EXPECT_FALSE(*bare().renew(resource, LockOwner{"a"}, ttl())) << "expired, though nobody took it";
  EXPECT_TRUE(is_free());
  EXPECT_FALSE(*bare().renew(resource, LockOwner{"a"}, ttl())) << "released by somebody else";
  EXPECT_FALSE(*bare().renew(Resource{"never:seen"}, LockOwner{"a"}, ttl()));
  EXPECT_TRUE(is_free(Resource{"never:seen"}));
}

TEST_P(LockConformance, a_lease_ends_exactly_with_its_ttl) {
  if (!GetParam().needs_real_time.empty()) GTEST_SKIP() << GetParam().needs_real_time;
  ASSERT_TRUE(take_bare(LockOwner{"a"}));
  pass(ttl() - milliseconds{1});
  EXPECT_FALSE(is_free());
  pass(milliseconds{1});
  EXPECT_TRUE(is_free());
}

TEST_P(LockConformance, an_expired_lease_cannot_be_released) {
  ASSERT_TRUE(take_bare(LockOwner{"a"}));
  pass(ttl() + milliseconds{1});
  EXPECT_FALSE(*bare().release(resource, LockOwner{"a"}));
}

TEST_P(LockConformance, a_repeated_acquisition_of_one_owner_gets_the_same_token) {
  auto wanted = request();
  wanted.owner = LockOwner{"replayed"};
  table_->inject(LeaseCall::acquire, LeaseFault::lose_reply);
  const auto lost = service_->acquire(wanted);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::unavailable);
  const auto granted = take_bare(LockOwner{"replayed"});
  ASSERT_TRUE(granted) << "the reply was lost, the lease was not";

  pass(ttl() / 2);
  const Lease lease = take(wanted);
  EXPECT_EQ(lease.token(), *granted);
  EXPECT_GT(lease.remaining(), ttl() * 9 / 10) << "with the whole TTL from now";
  pass(ttl() * 8 / 10);
  EXPECT_FALSE(is_free());
}

TEST_P(LockConformance, what_nobody_can_repeat_is_given_back) {
  table_->inject(LeaseCall::acquire, LeaseFault::lose_reply);
  ASSERT_FALSE(service_->acquire(request())) << "under a random owner";
  EXPECT_TRUE(eventually([this] { return table_->calls(LeaseCall::release) == 1; }));
  EXPECT_TRUE(eventually([this] { return is_free(); }));
}

TEST_P(LockConformance, a_table_that_fails_or_throws_is_an_error) {
  for (const LeaseFault fault : {LeaseFault::fail, LeaseFault::throw_through}) {
    table_->inject(LeaseCall::acquire, fault);
    table_->inject(LeaseCall::renew, fault);
    const auto outcome = service_->acquire(request());
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Code::unavailable);
    EXPECT_EQ(outcome.error().certainty, Certainty::not_applied);
    EXPECT_FALSE(service_->renew(resource, stranger, ttl()));
  }
}

TEST_P(LockConformance, malformed_requests_are_refused) {
  for (const milliseconds wrong : {milliseconds{49}, milliseconds{3'600'001}, milliseconds{-1}}) {
    auto wanted = request();
    wanted.ttl = wrong;
    const auto outcome = service_->acquire(wanted);
    ASSERT_FALSE(outcome) << wrong.count();
    EXPECT_EQ(outcome.error().code, Code::invalid_request);
    EXPECT_FALSE(service_->renew(resource, stranger, wrong));
  }
  EXPECT_FALSE(service_->acquire(request(Resource{})));
  auto wanted = request();
  wanted.lifetime_max = milliseconds{0};
  EXPECT_FALSE(service_->acquire(wanted));
  EXPECT_EQ(table_->calls(LeaseCall::acquire), 0U);
}

// Waiting.

TEST_P(LockConformance, a_waiter_gets_in_after_the_release) {
  Lease lease = take();
  auto waiter = take_in_thread(waiting_request());
  ASSERT_TRUE(has_tried(2));
  EXPECT_FALSE(is_ready(waiter));
  const Instant released_at = now();
  EXPECT_EQ(lease.release(), Release::released);
  ASSERT_TRUE(finishes(waiter));
  EXPECT_LT(now() - released_at, ttl() / 2) << "long before any expiry";

  auto outcome = waiter.get();
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Lease>(*outcome));
  EXPECT_GT(std::get<Lease>(*outcome).token(), lease.token());
}

TEST_P(LockConformance, a_waiter_gets_in_when_the_lease_expires) {
  ASSERT_TRUE(take_bare(stranger));
  const Instant taken_at = now();
  auto waiter = take_in_thread(waiting_request());
  ASSERT_TRUE(finishes(waiter, ttl() / 100));
  if (GetParam().needs_real_time.empty()) {
    EXPECT_GE(now() - taken_at, ttl());
  }
  auto outcome = waiter.get();
  ASSERT_TRUE(outcome) << outcome.error().detail;
  EXPECT_TRUE(std::holds_alternative<Lease>(*outcome));
}

TEST_P(LockConformance, waiting_ends_at_its_deadline) {
  const Lease lease = take();
  const Instant began_at = now();
  auto waiter = take_in_thread(waiting_request(ttl() / 10));
  ASSERT_TRUE(finishes(waiter, ttl() / 1'000));
  EXPECT_GE(now() - began_at, ttl() / 10);
  const auto outcome = waiter.get();
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<LockWaitTimedOut>(*outcome));
  EXPECT_GT(std::get<LockWaitTimedOut>(*outcome).remaining, milliseconds{0});
}

TEST_P(LockConformance, waiting_can_be_cancelled) {
  ASSERT_TRUE(take_bare(stranger));
  std::stop_source cancel;
  auto wanted = waiting_request();
  wanted.cancel = cancel.get_token();
  auto waiter = take_in_thread(wanted);
  ASSERT_TRUE(has_tried(1));
  EXPECT_FALSE(is_ready(waiter));
  cancel.request_stop();
  ASSERT_TRUE(finishes(waiter));
  const auto outcome = waiter.get();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::holds_alternative<LockWaitCancelled>(*outcome)) << "before the lease expired";
}

TEST_P(LockConformance, waiting_through_an_outage_finds_its_own_lost_reply) {
  table_->inject(LeaseCall::acquire, LeaseFault::lose_reply);
  auto waiter = take_in_thread(waiting_request(ttl() * 9 / 10));
  ASSERT_TRUE(finishes(waiter));
  auto outcome = waiter.get();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::holds_alternative<Lease>(*outcome)) << "long before any expiry";
}

TEST_P(LockConformance, waiting_through_an_outage_ends_at_the_deadline_with_the_error) {
  table_->inject_always(LeaseCall::acquire, LeaseFault::fail);
  auto waiter = take_in_thread(waiting_request(ttl() / 2));
  ASSERT_TRUE(finishes(waiter, ttl() / 100));
  const auto outcome = waiter.get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::unavailable);
  EXPECT_GE(table_->calls(LeaseCall::acquire), 2U);
}

TEST_P(LockConformance, an_outage_is_waited_out_for_as_long_as_it_says) {
  table_->inject_always(LeaseCall::acquire, LeaseFault::fail);
  auto wanted = waiting_request();
  wanted.outage_wait = milliseconds{0};
  const auto at_once = service_->acquire(wanted);
  ASSERT_FALSE(at_once);
  EXPECT_EQ(at_once.error().code, Code::unavailable);
  EXPECT_EQ(table_->calls(LeaseCall::acquire), 1U);

  wanted.outage_wait = ttl() / 4;
  const Instant began_at = now();
  auto waiter = take_in_thread(wanted);
  ASSERT_TRUE(finishes(waiter, ttl() / 100));
  EXPECT_FALSE(waiter.get());
  EXPECT_GE(now() - began_at, ttl() / 4);
  EXPECT_LT(now() - began_at, ttl()) << "and no longer";
}

}  // namespace mizan::conformance
