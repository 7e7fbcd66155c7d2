#include "testkit/eventually.hpp"
#include "testkit/step_gate.hpp"
#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::deposit;
using testkit::transfer;
using testkit::withdraw;

/// Answers as they come in, by operation id.
class Answers {
 public:
  CompletionHandler of(const std::string& id) {
    return [this, id](const Result<Outcome>& result) {
      const std::lock_guard lock(mutex_);
      codes_[id] = result ? code_of(*result) : result.error().code;
    };
  }

  std::optional<Code> find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = codes_.find(id);
    return found == codes_.end() ? std::nullopt : std::optional(found->second);
  }

  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return codes_.size();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Code> codes_;
};

class GroupCommitTest : public LedgerTest {
 protected:
  GroupCommitTest() : LedgerTest(testkit::FakeSleep::advances, {}) {
    store_.before_call([this](std::string_view call) {
      if (call == "claim") gate_hook_("claim");
      if (call == "begin" && watched_.exchange(false)) {
        begin_reached_.release();
        begin_may_go_on_.acquire();
      }
    });
  }

  /// The writing thread stands in a transaction with this operation, and others queue up.
  void stop_the_writer(Ledger& ledger) {
    gate_.close("claim");
    ledger.submit(deposit("first", "alice", 1), {}, answers_.of("first"));
    const Deadline patience = system_clock().now() + std::chrono::seconds(20);
    ASSERT_TRUE(gate_.wait_until_reached(patience));
  }

  std::atomic<bool> watched_{false};  ///< The next "begin" stops.
  std::binary_semaphore begin_reached_{0};
  std::binary_semaphore begin_may_go_on_{0};
  testkit::StepGate gate_;
  StepHook gate_hook_ = gate_.hook();
  Answers answers_;
};

TEST_F(GroupCommitTest, a_full_queue_answers_at_once_and_applies_nothing) {
  LedgerOptions options;
  options.queue_max = 2;
  auto ledger = open(options);
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  ledger->submit(deposit("second", "alice", 1), {}, answers_.of("second"));
  ledger->submit(deposit("third", "alice", 1), {}, answers_.of("third"));
  ledger->submit(deposit("fourth", "alice", 1), {}, answers_.of("fourth"));
  EXPECT_EQ(answers_.find("fourth"), Code::unavailable);
  const auto fifth = ledger->apply(deposit("fifth", "alice", 1));
  ASSERT_FALSE(fifth);
  EXPECT_EQ(fifth.error().code, Code::unavailable);
  EXPECT_EQ(fifth.error().certainty, Certainty::not_applied);
  EXPECT_EQ(answers_.find("second"), std::nullopt);
  gate_.open();
  ledger.reset();
  EXPECT_EQ(answers_.find("second"), Code::applied);
  EXPECT_EQ(answers_.find("third"), Code::applied);
  EXPECT_EQ(balance("alice"), 3);
  EXPECT_FALSE(is_recorded("fourth"));
  EXPECT_FALSE(is_recorded("fifth"));
}

TEST_F(GroupCommitTest, what_waits_together_is_committed_together) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  for (int i = 0; i < 100; ++i) {
    const std::string id = "op-" + std::to_string(i);
    ledger->submit(deposit(id, "alice", 1), {}, answers_.of(id));
  }
  const std::uint64_t before = ledger->counters().commits;
  EXPECT_EQ(ledger->counters().operations_waiting, 100U);
  gate_.open();
  ASSERT_TRUE(testkit::eventually([&] { return answers_.count() == 101; }));
  EXPECT_EQ(ledger->counters().operations_waiting, 0U);
  EXPECT_EQ(ledger->counters().commits - before, 2U) << "the first one, and then all the others";
  EXPECT_EQ(balance("alice"), 101);
}

TEST_F(GroupCommitTest, a_batch_is_limited_and_nothing_is_lost_at_its_end) {
  LedgerOptions options;
  options.batch_operations_max = 10;
  const auto ledger = open(options);
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  for (int i = 0; i < 25; ++i) {
    const std::string id = "op-" + std::to_string(i);
    ledger->submit(deposit(id, "alice", 1), {}, answers_.of(id));
  }
  const std::uint64_t before = ledger->counters().commits;
  gate_.open();
  ASSERT_TRUE(testkit::eventually([&] { return answers_.count() == 26; }));
  EXPECT_EQ(ledger->counters().commits - before, 4U) << "1, then 10, 10 and 5";
}

TEST_F(GroupCommitTest, an_operation_whose_deadline_passed_in_the_queue_is_not_applied) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  CallOptions patient;
  patient.deadline = clock_.now() + std::chrono::seconds(60);
  CallOptions hasty;
  hasty.deadline = clock_.now() + std::chrono::seconds(1);
  ledger->submit(deposit("hasty", "alice", 1), hasty, answers_.of("hasty"));
  ledger->submit(deposit("patient", "alice", 1), patient, answers_.of("patient"));
  clock_.advance(std::chrono::seconds(2));
  gate_.open();
  ASSERT_TRUE(testkit::eventually([&] { return answers_.count() == 3; }));
  EXPECT_EQ(answers_.find("hasty"), Code::unavailable);
  EXPECT_EQ(answers_.find("patient"), Code::applied);
  EXPECT_FALSE(is_recorded("hasty"));
}

TEST_F(GroupCommitTest, the_most_hurried_of_a_batch_does_not_wait_for_the_others) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  CallOptions hasty;
  hasty.deadline = clock_.now() + std::chrono::seconds(1);
  CallOptions patient;
  patient.deadline = clock_.now() + std::chrono::seconds(60);
  ledger->submit(deposit("hasty", "alice", 1), hasty, answers_.of("hasty"));
  ledger->submit(deposit("patient", "alice", 1), patient, answers_.of("patient"));
  // Somebody else keeps the database to themselves; the two wait for it together.
  watched_ = true;
  gate_.open();
  ASSERT_TRUE(begin_reached_.try_acquire_for(std::chrono::seconds(20)));
  auto other = store_.inner().begin(clock_.now() + std::chrono::seconds(60));
  ASSERT_TRUE(other);
  begin_may_go_on_.release();
  clock_.advance(std::chrono::seconds(2));
  EXPECT_TRUE(testkit::eventually([&] { return answers_.find("hasty") == Code::unavailable; }));
  EXPECT_EQ(answers_.find("patient"), std::nullopt);
  other->reset();
  ASSERT_TRUE(testkit::eventually([&] { return answers_.count() == 3; }));
  EXPECT_EQ(answers_.find("patient"), Code::applied);
  EXPECT_FALSE(is_recorded("hasty"));
}

/// The writing thread stands in a COMMIT that does not come back.
class StuckCommit : public GroupCommitTest {
 protected:
  StuckCommit() {
    store_.before_call([this](std::string_view call) { gate_hook_(call); });
  }

  void stop_in_commit(Ledger& ledger, const Operation& operation, Deadline deadline) {
    gate_.close("commit");
    CallOptions options;
    options.deadline = deadline;
    ledger.submit(operation, options, answers_.of(operation.id.str()));
    const Deadline patience = system_clock().now() + std::chrono::seconds(20);
    ASSERT_TRUE(gate_.wait_until_reached(patience));
  }

  [[nodiscard]] CallOptions within(std::int64_t seconds) const {
    CallOptions options;
    options.deadline = clock_.now() + std::chrono::seconds(seconds);
    return options;
  }

  [[nodiscard]] bool is_answered(const std::string& name, Code code) {
    return testkit::eventually([&] { return answers_.find(name) == code; });
  }
};

TEST_F(StuckCommit, what_waits_in_the_queue_is_answered_at_its_deadline) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_in_commit(*ledger, deposit("first", "alice", 1), within(60).deadline);
  ledger->submit(deposit("queued", "alice", 1), within(1), answers_.of("queued"));
  ledger->submit(deposit("patient", "alice", 1), within(60), answers_.of("patient"));
  std::optional<Result<Outcome>> waited;
  const CallOptions in_two_seconds = within(2);  // Of the clock as it stands now.
  std::jthread caller(
      [&] { waited = ledger->apply(deposit("waiting", "alice", 1), in_two_seconds); });
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(is_answered("queued", Code::unavailable));
  EXPECT_EQ(answers_.find("patient"), std::nullopt);
  clock_.advance(std::chrono::seconds(5));
  caller.join();
  expect(*waited, Code::unavailable);
  EXPECT_EQ(waited->error().certainty, Certainty::not_applied);
  gate_.open();
  EXPECT_TRUE(is_answered("patient", Code::applied));
  EXPECT_EQ(answers_.find("first"), Code::applied);
  EXPECT_FALSE(is_recorded("queued"));
  EXPECT_FALSE(is_recorded("waiting"));
  EXPECT_EQ(balance("alice"), 2);
}

TEST_F(StuckCommit, the_same_operation_once_more_is_in_progress_and_another_one_is_not) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_in_commit(*ledger, deposit("op-1", "alice", 1), within(60).deadline);
  ledger->submit(deposit("op-2", "alice", 1), within(60), answers_.of("op-2"));
  ledger->submit(deposit("op-1", "alice", 1), within(1), answers_.of("op-1 again"));
  ledger->submit(deposit("op-1", "alice", 2), within(1), answers_.of("op-1 otherwise"));
  ledger->submit(deposit("op-2", "alice", 1), within(1), answers_.of("op-2 again"));
  ledger->submit(deposit("op-3", "alice", 1), within(1), answers_.of("op-3"));
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(is_answered("op-1 again", Code::in_progress));
  EXPECT_TRUE(is_answered("op-1 otherwise", Code::unavailable));
  EXPECT_TRUE(is_answered("op-2 again", Code::in_progress)) << "queued is under way too";
  EXPECT_TRUE(is_answered("op-3", Code::unavailable));
  gate_.open();
  EXPECT_TRUE(is_answered("op-2", Code::applied));
  expect(ledger->apply(deposit("op-1", "alice", 1)), Code::already_applied);
}

TEST_F(StuckCommit, an_operation_in_the_commit_is_unknown_at_its_deadline) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_in_commit(*ledger, deposit("op-1", "alice", 1), within(1).deadline);
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(is_answered("op-1", Code::unknown));
  ledger->submit(deposit("op-1", "alice", 1), within(1), answers_.of("op-1 again"));
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(is_answered("op-1 again", Code::in_progress));
  gate_.open();
  expect(ledger->apply(deposit("op-1", "alice", 1)), Code::already_applied);
  EXPECT_EQ(balance("alice"), 1);
}

TEST_F(StuckCommit, a_caller_who_has_gone_is_left_alone_when_the_commit_comes_to_nothing) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  std::jthread caller;
  std::optional<Result<Outcome>> answer;
  gate_.close("commit");
  store_.fail("commit", testkit::Fault::commit_lost_unreported, 1);
  caller = std::jthread([&] {
    // The operation lives as long as the call.
    const auto operation = std::make_unique<Operation>(deposit("hasty", "alice", 1));
    answer = ledger->apply(*operation, within(1));
  });
  ASSERT_TRUE(gate_.wait_until_reached(system_clock().now() + std::chrono::seconds(20)));
  clock_.advance(std::chrono::seconds(1));
  caller.join();
  expect(*answer, Code::unknown);
  EXPECT_EQ(answer->error().certainty, Certainty::unknown);
  gate_.open();
  expect(ledger->apply(deposit("next", "alice", 5)), Code::applied);
  EXPECT_FALSE(is_recorded("hasty"));
  EXPECT_EQ(balance("alice"), 5);
  expect_sound();
}

TEST_F(GroupCommitTest, the_hurried_repeat_of_what_waits_beside_it_is_in_progress) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  stop_the_writer(*ledger);
  CallOptions hasty;
  hasty.deadline = clock_.now() + std::chrono::seconds(1);
  ledger->submit(deposit("op-1", "alice", 1), {}, answers_.of("op-1"));
  ledger->submit(deposit("op-1", "alice", 1), hasty, answers_.of("hasty"));
  clock_.advance(std::chrono::seconds(2));
  EXPECT_TRUE(testkit::eventually([&] { return answers_.find("hasty") == Code::in_progress; }));
  gate_.open();
  EXPECT_TRUE(testkit::eventually([&] { return answers_.find("op-1") == Code::applied; }));
}

TEST_F(GroupCommitTest, a_dry_submission_keeps_nothing) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 10);
  CallOptions dry;
  dry.dry_run = true;
  ledger->submit(withdraw("dry", "alice", 10), dry, answers_.of("dry"));
  ASSERT_TRUE(testkit::eventually([&] { return answers_.count() == 1; }));
  EXPECT_EQ(answers_.find("dry"), Code::applied);
  EXPECT_EQ(balance("alice"), 10);
  EXPECT_FALSE(is_recorded("dry"));
}

TEST_F(GroupCommitTest, a_malformed_submission_is_answered_at_once) {
  const auto ledger = open();
  ledger->submit(deposit("bad", "@world/EUR", 1), {}, answers_.of("bad"));
  EXPECT_EQ(answers_.find("bad"), Code::invalid_request);
}

TEST_F(GroupCommitTest, destruction_answers_everything_that_was_accepted) {
  auto ledger = open();
  create(*ledger, testkit::wallet("alice"));
  for (int i = 0; i < 200; ++i) {
    const std::string id = "op-" + std::to_string(i);
    ledger->submit(deposit(id, "alice", 1), {}, answers_.of(id));
  }
  ledger.reset();
  EXPECT_EQ(answers_.count(), 200U);
  EXPECT_EQ(balance("alice"), 200);
}

TEST_F(GroupCommitTest, a_batch_larger_than_the_queue_is_taken_when_nothing_else_waits) {
  LedgerOptions options;
  options.queue_max = 2;
  const auto ledger = open(options);
  create(*ledger, testkit::wallet("alice"));
  std::vector<Operation> operations;
  for (int i = 0; i < 50; ++i) {
    operations.push_back(deposit("op-" + std::to_string(i), "alice", 1));
  }
  for (const auto& result : ledger->apply_batch(operations)) expect(result, Code::applied);
  EXPECT_EQ(balance("alice"), 50);
}

TEST_F(GroupCommitTest, a_batch_over_ten_thousand_is_refused_item_by_item) {
  const auto ledger = open();
  const std::vector<Operation> operations(10'001, deposit("op", "alice", 1).build());
  const auto results = ledger->apply_batch(operations);
  ASSERT_EQ(results.size(), 10'001U);
  expect(results.front(), Code::invalid_request);
  expect(results.back(), Code::invalid_request);
}

// With a deadline nobody works on it alone, and nothing in it would wake who does.
TEST_F(GroupCommitTest, a_batch_of_nothing_is_answered_at_once) {
  const auto ledger = open();
  EXPECT_TRUE(ledger->apply_batch({}).empty());
  for (const Atomicity atomicity : {Atomicity::independent, Atomicity::all_or_none}) {
    CallOptions options;
    options.deadline = clock_.now() + std::chrono::seconds(10);
    std::binary_semaphore answered{0};
    const std::jthread caller([&] {
      EXPECT_TRUE(ledger->apply_batch({}, atomicity, options).empty());
      answered.release();
    });
    EXPECT_TRUE(answered.try_acquire_for(std::chrono::seconds(5)));
    static_cast<void>(ledger->apply(deposit("op", "nobody", 1)));  // Wakes it where it was not.
  }
}

TEST_F(GroupCommitTest, a_small_cache_is_emptied_and_everything_stays_right) {
  LedgerOptions options;
  options.cached_wallets_max = 1;
  const auto ledger = open(options);
  for (const char* id : {"alice", "bob", "carol"}) create(*ledger, testkit::wallet(id), 10);
  for (int i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    expect(ledger->apply(transfer("a" + id, "alice", "bob", 1)), Code::applied);
    expect(ledger->apply(transfer("b" + id, "bob", "carol", 1)), Code::applied);
  }
  EXPECT_EQ(balance("carol"), 20);
  expect_sound();
}

}  // namespace
}  // namespace mizan::engine
