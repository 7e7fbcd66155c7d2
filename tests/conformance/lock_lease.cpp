#include "tests/conformance/lock_conformance.hpp"

#include <mutex>
#include <string>
#include <thread>

// The life of a lease as time passes and things fail: renewal, suspicion, loss, release.

namespace mizan::conformance {

namespace {

/// A callback that does not return until the test says so.
class Gate {
 public:
  void pass_through() {
    inside_ = true;
    opened_.wait(false);
  }

  void open() {
    opened_ = true;
    opened_.notify_all();
  }

  [[nodiscard]] bool is_inside() const { return inside_; }

 private:
  std::atomic<bool> inside_ = false;
  std::atomic<bool> opened_ = false;
};

}  // namespace

// Renewal.

TEST_P(LockConformance, renewal_keeps_a_lease_far_beyond_its_ttl) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  Lease lease = take(std::move(wanted));
  for (std::size_t round = 1; round <= 8; ++round) {
    pass(ttl() * 4 / 10);
    ASSERT_TRUE(renewals_reach(round));
    ASSERT_TRUE(eventually([&] { return lease.remaining() > ttl() * 9 / 10; })) << round;
  }
  EXPECT_EQ(lease.state(), LeaseState::held);
  EXPECT_FALSE(is_free());
  EXPECT_EQ(lease.release(), Release::released);
  EXPECT_EQ(notices.suspect + notices.lost, 0);
  EXPECT_EQ(table_->calls(LeaseCall::renew), 8U);
}

TEST_P(LockConformance, a_lease_without_renewal_is_left_to_others) {
  auto wanted = request();
  wanted.auto_renew = false;
  Lease lease = take(std::move(wanted));
  const LockOwner owner = lease.owner();
  lease.hand_over();
  EXPECT_EQ(lease.release(), Release::not_held) << "it is not this one's any more";
  EXPECT_FALSE(is_free());
  EXPECT_TRUE(*service_->renew(resource, owner, ttl()));
  EXPECT_TRUE(*service_->release(resource, owner));
  EXPECT_TRUE(is_free());
  EXPECT_EQ(table_->calls(LeaseCall::renew), 1U);
}

TEST_P(LockConformance, suspicion_is_told_once_and_is_no_loss) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  const Lease lease = take(std::move(wanted));
  table_->inject(LeaseCall::renew, LeaseFault::fail);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return notices.suspect == 1; }));
  EXPECT_EQ(lease.state(), LeaseState::suspect);
  EXPECT_GT(lease.remaining(), ttl() / 2) << "unknown neither shortens nor resets it";
  EXPECT_FALSE(lease.lost().stop_requested());

  pass(ttl() / 10);  // The pause before the next attempt is 2.5 % to 7.5 % of the TTL.
  ASSERT_TRUE(eventually([&] { return lease.state() == LeaseState::held; }));
  table_->inject(LeaseCall::renew, LeaseFault::fail);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return lease.state() == LeaseState::suspect; }));
  EXPECT_EQ(notices.suspect, 1) << "once per lease";
  EXPECT_EQ(notices.lost, 0);
}

TEST_P(LockConformance, a_renewal_whose_reply_is_lost_does_not_reset_the_clock) {
  const Lease lease = take();
  table_->inject_always(LeaseCall::renew, LeaseFault::lose_reply);
  const Instant valid_until = now() + lease.remaining();
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return lease.state() == LeaseState::suspect; }));
  EXPECT_EQ(now() + lease.remaining(), valid_until);
  pass(ttl() * 6 / 10);
  EXPECT_EQ(lease.state(), LeaseState::lost);
  EXPECT_FALSE(is_free()) << "the table did extend it; the holder just cannot know";
}

// Loss.

TEST_P(LockConformance, a_lease_that_cannot_be_renewed_is_lost_once_by_its_deadline) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  Lease lease = take(std::move(wanted));
  table_->inject_always(LeaseCall::renew, LeaseFault::fail);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return notices.suspect == 1; }));
  pass(lease.remaining() - milliseconds{1});
  EXPECT_EQ(lease.state(), LeaseState::suspect);
  EXPECT_EQ(notices.lost, 0);

  pass(milliseconds{1});
  EXPECT_EQ(lease.state(), LeaseState::lost) << "at once, whoever looks";
  EXPECT_EQ(lease.remaining(), milliseconds{0});
  EXPECT_FALSE(is_free()) << "told before the table lets others in";
  ASSERT_TRUE(eventually([&] { return notices.lost == 1; }));
  EXPECT_EQ(notices.reason, LeaseLoss::deadline);
  EXPECT_EQ(lease.loss(), LeaseLoss::deadline);
  EXPECT_TRUE(lease.lost().stop_requested());

  table_->heal();
  pass(ttl());
  EXPECT_EQ(lease.release(), Release::not_held);
  EXPECT_EQ(table_->calls(LeaseCall::release), 0U) << "a lost lease is released as a no-op";
  EXPECT_EQ(notices.lost, 1);
  EXPECT_EQ(notices.suspect, 1);
}

TEST_P(LockConformance, a_lease_that_somebody_took_away_is_lost_at_the_next_renewal) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  Lease lease = take(std::move(wanted));
  ASSERT_TRUE(*bare().release(resource, lease.owner()));
  const auto next = take_bare(stranger);
  ASSERT_TRUE(next);
  EXPECT_GT(*next, lease.token());
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return notices.lost == 1; }));
  EXPECT_EQ(notices.reason, GetParam().taken_away) << "as far as the table tells";
  EXPECT_EQ(notices.suspect, 0) << "it is definite";
  EXPECT_EQ(lease.release(), Release::not_held);
  EXPECT_FALSE(is_free()) << "the other holder keeps it";
}

TEST_P(LockConformance, a_table_that_hangs_delays_no_notice) {
  Notices first;
  Notices second;
  auto wanted = request();
  first.listen(wanted);
  const Lease lease = take(std::move(wanted));
  wanted = request(Resource{"wallet:bob"});
  second.listen(wanted);
  const Lease other = take(std::move(wanted));
  table_->inject_always(LeaseCall::renew, LeaseFault::hang);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 1; }));
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return first.suspect == 1 && second.suspect == 1; }))
      << "a renewal that is unanswered for so long is failing";
  pass(ttl() * 15 / 100);
  ASSERT_TRUE(eventually([&] { return first.lost == 1 && second.lost == 1; }));
  EXPECT_EQ(table_->hanging(), 1U) << "the renewing thread is still stuck";
  EXPECT_EQ(first.reason, LeaseLoss::deadline);

  table_->heal();
  table_->let_go();
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 0; }));
  const Lease later = take(request(Resource{"wallet:carol"}));
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return later.remaining() > ttl() * 9 / 10; })) << "renewing again";
  EXPECT_EQ(lease.state(), LeaseState::lost) << "a late success brings nothing back";
  EXPECT_EQ(first.lost, 1);
}

TEST_P(LockConformance, the_lifetime_ends_a_lease_that_is_renewed_happily) {
  Notices notices;
  auto wanted = request();
  wanted.lifetime_max = ttl() * 3 / 2;
  notices.listen(wanted);
  const Lease lease = take(std::move(wanted));
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(renewals_reach(1));
  ASSERT_TRUE(eventually([&] { return lease.remaining() > ttl() * 9 / 10; }));
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(renewals_reach(2));
  ASSERT_TRUE(eventually([&] { return lease.remaining() == ttl() * 7 / 10; }));
  pass(ttl() * 7 / 10);
  ASSERT_TRUE(eventually([&] { return notices.lost == 1; }));
  EXPECT_EQ(notices.reason, LeaseLoss::max_lifetime);
  EXPECT_EQ(notices.suspect, 0);
  EXPECT_EQ(table_->calls(LeaseCall::renew), 2U);
}

TEST_P(LockConformance, a_rejected_fence_loses_the_lease_once) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  Lease lease = take(std::move(wanted));
  lease.report_fence_rejected();
  lease.report_fence_rejected();
  EXPECT_EQ(lease.state(), LeaseState::lost);
  ASSERT_TRUE(eventually([&] { return notices.lost == 1; }));
  EXPECT_EQ(notices.reason, LeaseLoss::fence_rejected);
  EXPECT_EQ(lease.release(), Release::not_held);
  EXPECT_EQ(notices.lost, 1);
}

TEST_P(LockConformance, the_end_of_the_service_is_told_before_it_returns) {
  Notices notices;
  auto wanted = request();
  notices.listen(wanted);
  Lease lease = take(std::move(wanted));
  service_.reset();
  EXPECT_EQ(notices.lost, 1);
  EXPECT_EQ(notices.reason, LeaseLoss::shutdown);
  EXPECT_EQ(lease.state(), LeaseState::lost);
  EXPECT_EQ(lease.loss(), LeaseLoss::shutdown);
  EXPECT_EQ(lease.remaining(), milliseconds{0});
  EXPECT_TRUE(lease.lost().stop_requested());
  lease.report_fence_rejected();
  EXPECT_EQ(lease.release(), Release::not_held);
  EXPECT_EQ(table_->calls(LeaseCall::release), 0U);
}

TEST_P(LockConformance, a_grant_that_arrives_too_late_is_given_back) {
  table_->inject(LeaseCall::acquire, LeaseFault::hang_reply);
  auto slow = take_in_thread(request());
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 1; }));
  pass(ttl() * 8 / 10);
  table_->let_go();
  const auto outcome = slow.get();
  ASSERT_FALSE(outcome) << "15 % of the TTL is too little to begin anything with";
  EXPECT_EQ(outcome.error().code, Code::unavailable);
  EXPECT_TRUE(is_free());
}

TEST_P(LockConformance, validity_counts_from_the_moment_the_acquisition_was_sent) {
  table_->inject(LeaseCall::acquire, LeaseFault::hang_reply);
  auto slow = take_in_thread(request());
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 1; }));
  pass(ttl() / 4);
  table_->let_go();
  auto outcome = slow.get();
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Lease>(*outcome));
  EXPECT_LE(std::get<Lease>(*outcome).remaining(), ttl() * 3 / 4);
}

// Release.

TEST_P(LockConformance, release_is_idempotent) {
  Lease lease = take();
  EXPECT_EQ(lease.release(), Release::released);
  EXPECT_EQ(lease.state(), LeaseState::released);
  EXPECT_EQ(lease.remaining(), milliseconds{0});
  EXPECT_EQ(lease.release(), Release::not_held);
  EXPECT_EQ(table_->calls(LeaseCall::release), 1U);
  EXPECT_TRUE(is_free());
}

TEST_P(LockConformance, destruction_releases_once_also_after_moves) {
  {
    Lease lease = take();
    Lease moved = std::move(lease);
    lease = std::move(moved);
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
  EXPECT_EQ(table_->calls(LeaseCall::release), 1U);
}

TEST_P(LockConformance, an_assigned_over_lease_is_released) {
  Lease lease = take();
  lease = take(request(Resource{"wallet:bob"}));
  EXPECT_TRUE(is_free());
  EXPECT_FALSE(is_free(Resource{"wallet:bob"}));
}

TEST_P(LockConformance, release_never_throws_and_says_when_it_is_unknown) {
  for (const LeaseFault fault :
       {LeaseFault::fail, LeaseFault::lose_reply, LeaseFault::throw_through}) {
    Lease lease = take(request(Resource{"fault:" + std::to_string(static_cast<int>(fault))}));
    table_->inject(LeaseCall::release, fault);
    EXPECT_EQ(lease.release(), Release::unknown);
    EXPECT_EQ(lease.state(), LeaseState::released);
    EXPECT_EQ(lease.release(), Release::unknown) << "still";
  }
  table_->inject_always(LeaseCall::release, LeaseFault::throw_through);
  EXPECT_NO_THROW({ const Lease lease = take(); });
}

TEST_P(LockConformance, release_is_not_held_up_by_a_renewal_that_hangs) {
  Lease lease = take();
  table_->inject(LeaseCall::renew, LeaseFault::hang);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 1; }));
  EXPECT_EQ(lease.release(), Release::released);
  EXPECT_EQ(table_->hanging(), 1U);
  table_->let_go();  // The renewal reaches the table after the release.
  ASSERT_TRUE(eventually([this] { return table_->hanging() == 0; }));
  EXPECT_TRUE(is_free()) << "and does not bring the lease back";
}

TEST_P(LockConformance, a_released_lease_is_renewed_no_more) {
  Lease lease = take();
  EXPECT_EQ(lease.release(), Release::released);
  const Lease witness = take(request(Resource{"wallet:bob"}));
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return witness.remaining() > ttl() * 9 / 10; }));
  EXPECT_EQ(table_->calls(LeaseCall::renew), 1U) << "of the other lease only";
}

// Callbacks.

TEST_P(LockConformance, callbacks_may_look_at_their_lease_and_release_it) {
  std::optional<Lease> lease;
  std::atomic<LeaseState> seen = LeaseState::held;
  std::atomic<Release> released = Release::unknown;
  std::atomic<bool> done = false;
  auto wanted = request();
  wanted.on_suspect = [&] {
    seen = lease->state();
    released = lease->release();
    done = true;
  };
  lease.emplace(take(std::move(wanted)));
  table_->inject_always(LeaseCall::renew, LeaseFault::fail);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return done.load(); }));
  EXPECT_EQ(seen, LeaseState::suspect);
  EXPECT_EQ(released, Release::released);
  EXPECT_TRUE(is_free());
}

TEST_P(LockConformance, a_loss_callback_may_release_every_lease_lost_with_it) {
  std::optional<Lease> first;
  std::optional<Lease> second;
  std::atomic<int> told = 0;
  std::atomic<int> told_at_return = 0;
  const auto release_both = [&](LeaseLoss /*why*/) {
    // Whichever is told first: the other one's notice is delivered before its release returns.
    const bool is_outer = ++told == 1;
    EXPECT_EQ(first->release(), Release::not_held);
    EXPECT_EQ(second->release(), Release::not_held);
    if (is_outer) told_at_return = told.load();
  };
  auto wanted = request();
  wanted.on_lost = release_both;
  first.emplace(take(std::move(wanted)));
  wanted = request(Resource{"wallet:bob"});
  wanted.on_lost = release_both;
  second.emplace(take(std::move(wanted)));
  table_->inject_always(LeaseCall::renew, LeaseFault::fail);
  pass(ttl());
  ASSERT_TRUE(eventually([&] { return told_at_return > 0; }));
  EXPECT_EQ(told_at_return, 2);
  service_.reset();
  EXPECT_EQ(told, 2);
}

TEST_P(LockConformance, after_a_release_no_callback_runs_any_more) {
  Gate gate;
  auto wanted = request();
  wanted.on_suspect = [&] { gate.pass_through(); };
  Lease lease = take(std::move(wanted));
  table_->inject_always(LeaseCall::renew, LeaseFault::fail);
  pass(ttl() * 4 / 10);
  ASSERT_TRUE(eventually([&] { return gate.is_inside(); }));
  auto release = std::async(std::launch::async, [&] { return lease.release(); });
  ASSERT_TRUE(eventually([this] { return table_->calls(LeaseCall::release) == 1; }));
  EXPECT_EQ(lease.state(), LeaseState::released);
  EXPECT_FALSE(is_ready(release)) << "the callback may still use what its captures point to";
  gate.open();
  EXPECT_EQ(release.get(), Release::released);
}

TEST_P(LockConformance, a_callback_that_throws_costs_nobody_else_a_notice) {
  Notices notices;
  auto wanted = request();
  wanted.on_lost = [](LeaseLoss /*why*/) { throw std::string("against the contract"); };
  const Lease lease = take(std::move(wanted));
  wanted = request(Resource{"wallet:bob"});
  notices.listen(wanted);
  const Lease other = take(std::move(wanted));
  table_->inject_always(LeaseCall::renew, LeaseFault::fail);
  pass(ttl());
  EXPECT_TRUE(eventually([&] { return notices.lost == 1; }));
}

}  // namespace mizan::conformance
