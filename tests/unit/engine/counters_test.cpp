#include "engine/counters.hpp"

#include "mizan/lock.hpp"

#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

using std::chrono::milliseconds;
using testkit::Fault;
using testkit::transfer;

std::uint64_t count_of(const Distribution& distribution) {
  return std::accumulate(distribution.counts.begin(), distribution.counts.end(), std::uint64_t{0});
}

/// How many values are in the part that `value` belongs to.
std::uint64_t count_beside(const Distribution& distribution, std::uint64_t value) {
  std::size_t part = 0;
  while (part < distribution.bounds.size() && distribution.bounds[part] < value) ++part;
  return distribution.counts.at(part);
}

TEST(Tally, counts_a_value_with_the_first_bound_that_is_not_below_it) {
  Tally<batch_bounds> tally;
  for (const std::uint64_t value : {0U, 1U, 2U, 3U, 4U, 8'192U, 8'193U}) tally.note(value);
  const Distribution read = tally.read();
  ASSERT_EQ(read.counts.size(), read.bounds.size() + 1);
  EXPECT_EQ(read.counts[0], 2U) << "0 and 1";
  EXPECT_EQ(read.counts[1], 1U) << "2";
  EXPECT_EQ(read.counts[2], 2U) << "3 and 4";
  EXPECT_EQ(read.counts[read.bounds.size() - 1], 1U) << "8,192";
  EXPECT_EQ(read.counts[read.bounds.size()], 1U) << "above them all";
  EXPECT_EQ(read.sum, 16'395U);
  EXPECT_EQ(count_of(read), 7U);
}

class CountersTest : public LedgerTest, public ::testing::WithParamInterface<Strategy> {
 protected:
  void SetUp() override {
    LedgerOptions options;
    options.strategy = GetParam();
    ledger_ = open(options);
    create(*ledger_, testkit::wallet("alice"), 100);
    create(*ledger_, testkit::wallet("bob"));
  }

  std::unique_ptr<Ledger> ledger_;
};

TEST_P(CountersTest, retries_are_told_apart_by_what_the_database_said) {
  store_.fail("commit", Fault::retryable, 2);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1)), Code::applied);
  LedgerCounters counters = ledger_->counters();
  EXPECT_EQ(counters.store_retries, 2U);
  EXPECT_EQ(counters.connection_retries, 0U);
  EXPECT_EQ(counters.unknown_retries, 0U);

  store_.fail("commit", Fault::connection_lost, 1);
  expect(ledger_->apply(transfer("t-2", "alice", "bob", 1)), Code::applied);
  counters = ledger_->counters();
  EXPECT_EQ(counters.store_retries, 3U);
  EXPECT_EQ(counters.connection_retries, 1U);

  store_.fail("commit", Fault::commit_lost_unreported, 1);
  expect(ledger_->apply(transfer("t-3", "alice", "bob", 1)), Code::applied);
  counters = ledger_->counters();
  EXPECT_EQ(counters.store_retries, 3U);
  EXPECT_EQ(counters.unknown_retries, 1U);
  EXPECT_EQ(counters.unknown_commits_resolved, 0U);

  store_.fail("commit", Fault::commit_applied_unreported, 1);
  EXPECT_TRUE(ledger_->apply(transfer("t-4", "alice", "bob", 1)));
  counters = ledger_->counters();
  EXPECT_EQ(counters.unknown_retries, 1U);
  EXPECT_EQ(counters.unknown_commits_resolved, 1U);
  EXPECT_EQ(balance("bob"), 4);
}

TEST_P(CountersTest, what_the_stores_second_net_catches_is_an_alarm) {
  EXPECT_EQ(ledger_->counters().invariant_alarms, 0U);
  store_.fail("commit", Fault::alarm);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1)), Code::internal);
  EXPECT_EQ(ledger_->counters().invariant_alarms, 1U);
  store_.fail("begin", Fault::unavailable);
  expect(ledger_->apply(transfer("t-2", "alice", "bob", 1)), Code::unavailable);
  EXPECT_EQ(ledger_->counters().invariant_alarms, 1U) << "a database that is away is none";
}

TEST_P(CountersTest, a_commit_is_measured_with_what_it_took_and_recorded) {
  const LedgerCounters before = ledger_->counters();
  store_.before_call([this](std::string_view call) {
    if (call == "commit") clock_.advance(milliseconds(3));
  });
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1)), Code::applied);
  expect(ledger_->apply(transfer("t-2", "alice", "bob", 1'000)), Code::insufficient_funds);
  const LedgerCounters after = ledger_->counters();
  EXPECT_EQ(after.commits, before.commits + 1) << "a refusal commits nothing";
  EXPECT_EQ(count_of(after.commit_nanoseconds), after.commits);
  EXPECT_EQ(after.commit_nanoseconds.sum - before.commit_nanoseconds.sum, 3'000'000U);
  EXPECT_EQ(count_beside(after.commit_nanoseconds, 3'000'000), 1U);
  EXPECT_EQ(after.batch_operations.sum, before.batch_operations.sum + 1);
  EXPECT_EQ(after.operations_waiting, 0U);
}

INSTANTIATE_TEST_SUITE_P(strategies,
                         CountersTest,
                         ::testing::Values(Strategy::batched,
                                           Strategy::atomic,
                                           Strategy::optimistic,
                                           Strategy::pessimistic),
                         [](const auto& strategy) {
                           return std::string(to_string(strategy.param));
                         });

class BatchCountersTest : public LedgerTest {};

TEST_F(BatchCountersTest, a_batch_counts_as_large_as_it_is) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 100);
  create(*ledger, testkit::wallet("bob"));
  const LedgerCounters before = ledger->counters();
  std::vector<Operation> operations;
  for (int i = 0; i < 20; ++i) {
    operations.push_back(transfer("t-" + std::to_string(i), "alice", "bob", 1));
  }
  for (const auto& result : ledger->apply_batch(operations)) expect(result, Code::applied);
  const LedgerCounters after = ledger->counters();
  EXPECT_EQ(after.batch_operations.sum, before.batch_operations.sum + 20);
  EXPECT_EQ(count_beside(after.batch_operations, 20), 1U);
}

/// A lock that takes a while, and is lost while it is held where the test says so.
class SlowLock final : public LockService {
 public:
  SlowLock(testkit::FakeClock& clock, bool is_lost)
      : clock_(clock), is_lost_(is_lost), inner_(make_memory_lock(clock)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "slow"; }

  Result<AcquireOutcome> acquire(AcquireRequest request) override {
    clock_.advance(milliseconds(20));
    auto outcome = inner_->acquire(std::move(request));
    if (outcome && is_lost_) std::get<Lease>(*outcome).report_fence_rejected();
    return outcome;
  }

  Result<bool> renew(const Resource& resource, const LockOwner& owner, milliseconds ttl) override {
    return inner_->renew(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return inner_->release(resource, owner);
  }

 private:
  testkit::FakeClock& clock_;
  bool is_lost_;
  std::unique_ptr<LockService> inner_;
};

TEST_F(BatchCountersTest, locks_are_measured_and_repeats_under_them_counted) {
  for (const bool is_lost : {false, true}) {
    SlowLock lock(clock_, is_lost);
    LedgerOptions options;
    options.lock = &lock;
    const auto ledger = open(options);
    const std::string id = is_lost ? "lost" : "held";
    ASSERT_TRUE(ledger->create_wallet(testkit::wallet("alice")));
    expect(ledger->apply(testkit::deposit(id, "alice", 1)), Code::applied);
    expect(ledger->apply(testkit::deposit(id, "alice", 1)), Code::already_applied);
    const LedgerCounters counters = ledger->counters();
    EXPECT_EQ(count_of(counters.lock_nanoseconds), 1U) << "a repeat needs no lock";
    EXPECT_EQ(count_beside(counters.lock_nanoseconds, 20'000'000), 1U);
    EXPECT_EQ(counters.lock_losses, is_lost ? 1U : 0U);
    EXPECT_EQ(counters.operations_replayed, 1U);
  }
}

}  // namespace
}  // namespace mizan::engine
