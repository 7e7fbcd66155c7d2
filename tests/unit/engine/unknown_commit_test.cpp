// The fate of a COMMIT is not known. The id tells: whatever happened, the operation is applied
// once.

#include "testkit/eventually.hpp"
#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::deposit;
using testkit::Fault;
using testkit::transfer;

class UnknownCommit : public LedgerTest, public ::testing::WithParamInterface<Strategy> {
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

TEST_P(UnknownCommit, a_commit_that_took_effect_is_answered_as_applied) {
  store_.fail("commit", Fault::commit_applied_unreported);
  const auto result = ledger_->apply(transfer("t-1", "alice", "bob", 60));
  expect(result, Code::applied);
  EXPECT_EQ(ledger_->counters().unknown_commits_resolved, 1U);
  EXPECT_EQ(ledger_->counters().operations_applied, 2U);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 60)), Code::already_applied);
  expect(ledger_->apply(transfer("t-2", "alice", "bob", 40)), Code::applied);
  EXPECT_EQ(balance("alice"), 0);
  expect_sound();
}

TEST_P(UnknownCommit, a_commit_that_took_no_effect_is_done_again) {
  store_.fail("commit", Fault::commit_lost_unreported, 3);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 60)), Code::applied);
  EXPECT_EQ(balance("alice"), 40);
  EXPECT_EQ(ledger_->counters().unknown_commits_resolved, 0U);
  expect(ledger_->apply(transfer("t-2", "alice", "bob", 40)), Code::applied);
  expect_sound();
}

TEST_P(UnknownCommit, where_nobody_can_be_asked_until_the_deadline_the_answer_is_unknown) {
  let_calls_take_time();
  store_.fail("commit", Fault::commit_applied_unreported);
  store_.fail("snapshot", Fault::unavailable, 100'000, GetParam() == Strategy::optimistic ? 1 : 0);
  const auto result = ledger_->apply(transfer("t-1", "alice", "bob", 60));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_EQ(result.error().certainty, Certainty::unknown);
  store_.heal();
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 60)), Code::already_applied);
  EXPECT_EQ(balance("alice"), 40);
}

TEST_P(UnknownCommit, a_failure_after_it_does_not_claim_that_nothing_was_applied) {
  // The id is not found and the repeat fails. What is not there yet may still come: a commit that
  // is under way, or one that a recovery finds in the log.
  store_.before_call([this](std::string_view call) {
    if (call == "commit") store_.fail("begin", Fault::unavailable);
  });
  store_.fail("commit", Fault::commit_lost_unreported);
  const auto result = ledger_->apply(transfer("t-1", "alice", "bob", 60));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_EQ(result.error().certainty, Certainty::unknown);
  store_.before_call({});
  store_.heal();
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 60)), Code::applied);
  EXPECT_EQ(balance("alice"), 40);
}

TEST_P(UnknownCommit, the_answer_says_what_was_wrong_with_the_commit) {
  let_calls_take_time();
  store_.fail("commit", Fault::commit_lost_unreported, 100'000);
  const auto result = ledger_->apply(transfer("t-1", "alice", "bob", 60));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_NE(result.error().detail.find("the store said: the test says so"), std::string::npos)
      << result.error().detail;
}

TEST_P(UnknownCommit, the_question_is_asked_again_until_somebody_answers) {
  store_.fail("commit", Fault::commit_applied_unreported);
  store_.fail("snapshot", Fault::unavailable, 3, GetParam() == Strategy::optimistic ? 1 : 0);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 60)), Code::applied);
  EXPECT_EQ(balance("alice"), 40);
}

TEST_P(UnknownCommit, a_lost_refusal_that_is_final_is_stored_in_the_end) {
  store_.fail("commit", Fault::commit_lost_unreported);
  CallOptions options;
  options.refusals = RefusalMode::final;
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 101), options), Code::insufficient_funds);
  expect(ledger_->apply(deposit("d-1", "alice", 1)), Code::applied);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 101)), Code::insufficient_funds);
}

INSTANTIATE_TEST_SUITE_P(strategies,
                         UnknownCommit,
                         ::testing::Values(Strategy::batched,
                                           Strategy::atomic,
                                           Strategy::optimistic,
                                           Strategy::pessimistic),
                         [](const auto& one) { return std::string(to_string(one.param)); });

class UnknownBatch : public LedgerTest {};

TEST_F(UnknownBatch, one_operation_that_somebody_else_applied_does_not_vouch_for_the_others) {
  const auto ours = open();
  create(*ours, testkit::wallet("alice"), 100);
  create(*ours, testkit::wallet("bob"), 100);
  create(*ours, testkit::wallet("carol"));
  Ledger theirs(store_.inner(), clock_, {});
  // Our transaction is lost with its COMMIT; before we ask, somebody else applies one of the two.
  bool lost = false;
  bool done = false;
  store_.before_call([&](std::string_view call) {
    if (call == "commit") lost = true;
    if (call != "snapshot" || !lost || done) return;
    done = true;
    expect(theirs.apply(transfer("t-1", "alice", "carol", 60)), Code::applied);
  });
  store_.fail("commit", Fault::commit_lost_unreported);
  const std::vector<Operation> operations{transfer("t-1", "alice", "carol", 60),
                                          transfer("t-2", "bob", "carol", 60)};
  const auto results = ours->apply_batch(operations);
  ASSERT_TRUE(done);
  EXPECT_TRUE(code(results[0]) == Code::applied || code(results[0]) == Code::already_applied);
  expect(results[1], Code::applied);
  EXPECT_TRUE(is_recorded("t-2")) << "acknowledged, and not there";
  EXPECT_EQ(balance("bob"), 40);
  EXPECT_EQ(balance("carol"), 120);
  expect_sound();
}

TEST_F(UnknownBatch, nobody_waits_for_certainty_beyond_the_own_deadline) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 100);
  let_calls_take_time();
  store_.fail("commit", Fault::commit_applied_unreported);
  store_.fail("snapshot", Fault::unavailable, 100'000);
  std::atomic<int> answers = 0;
  std::optional<Instant> hasty_answered;
  std::optional<Code> hasty_code;
  std::optional<Code> patient_code;
  CallOptions hasty;
  hasty.deadline = clock_.now() + std::chrono::seconds(1);
  CallOptions patient;
  patient.deadline = clock_.now() + std::chrono::seconds(60);
  std::promise<void> is_busy;
  std::promise<void> may_begin;
  // The first answer, on the writing thread, keeps it busy until both of the others wait.
  ledger->submit(deposit("first", "nobody", 1), {}, [&](const Result<Outcome>&) {
    is_busy.set_value();
    may_begin.get_future().wait();
    ++answers;
  });
  is_busy.get_future().wait();
  ledger->submit(deposit("hasty", "alice", 1), hasty, [&](const Result<Outcome>& result) {
    hasty_answered = clock_.now();
    hasty_code = code(result);
    ++answers;
  });
  ledger->submit(deposit("patient", "alice", 1), patient, [&](const Result<Outcome>& result) {
    patient_code = code(result);
    store_.heal();
    ++answers;
  });
  may_begin.set_value();
  ASSERT_TRUE(testkit::eventually([&] { return answers == 3; }));
  EXPECT_EQ(hasty_code, Code::unknown);
  EXPECT_LT(*hasty_answered, hasty.deadline + std::chrono::seconds(5));
  EXPECT_EQ(patient_code, Code::unknown);
  store_.before_call({});
  expect(ledger->apply(deposit("hasty", "alice", 1)), Code::already_applied);
}

TEST_F(UnknownBatch, all_or_none_is_asked_for_too) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 100);
  create(*ledger, testkit::wallet("bob"));
  for (const Fault fault : {Fault::commit_applied_unreported, Fault::commit_lost_unreported}) {
    store_.fail("commit", fault);
    const std::string suffix = fault == Fault::commit_lost_unreported ? "-lost" : "-done";
    const std::vector<Operation> operations{transfer("t-1" + suffix, "alice", "bob", 10),
                                            transfer("t-2" + suffix, "alice", "bob", 10)};
    for (const auto& result : ledger->apply_batch(operations, Atomicity::all_or_none)) {
      expect(result, Code::applied);
    }
  }
  EXPECT_EQ(balance("bob"), 40);
  expect_sound();
}

}  // namespace
}  // namespace mizan::engine
