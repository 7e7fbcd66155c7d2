// Over a store that is far away, what can be decided on remembered states is written without asking
// the database anything first. The answers are those that a ledger gives which asks.

#include "base/far_store.hpp"
#include "tests/unit/engine/ledger_fixture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::deposit;
using testkit::hold;
using testkit::transfer;
using testkit::withdraw;

class FarFaultyStore final : public testkit::FaultyStore, public FarStore {
 public:
  using FaultyStore::FaultyStore;
};

class Unasked : public LedgerTest {
 protected:
  Unasked()
      : LedgerTest([](const Clock& clock) {
          return std::make_unique<FarFaultyStore>(make_memory_store(clock));
        }) {}

  void SetUp() override {
    create(*ours_, testkit::wallet("alice"), 100);
    create(*ours_, testkit::wallet("bob"), 100);
    // Now our cache knows both, and it was asked.
    expect(ours_->apply(transfer("warm", {{"alice", "bob", 1}})), Code::applied);
    note_questions();
  }

  void note_questions() { questions_ = questions(); }

  /// How often the database was asked since they were noted.
  [[nodiscard]] std::size_t questions_since() const { return questions() - questions_; }

  /// How many transactions it takes until each of the callers has credited alice that often.
  std::size_t commits_of_credits(int callers, int rounds) {
    const std::size_t before = store_.calls("commit");
    {
      std::vector<std::jthread> threads;
      threads.reserve(static_cast<std::size_t>(callers));
      for (int t = 0; t < callers; ++t) {
        threads.emplace_back([this, rounds, name = fmt::format("d-{}-{}", before, t)] {
          for (int i = 0; i < rounds; ++i) {
            expect(ours_->apply(deposit(fmt::format("{}-{}", name, i), "alice", 1)), Code::applied);
          }
        });
      }
    }
    return store_.calls("commit") - before;
  }

  std::unique_ptr<Ledger> ours_ = open();
  std::unique_ptr<Ledger> theirs_ = open();

 private:
  [[nodiscard]] std::size_t questions() const {
    return store_.calls("claim") + store_.calls("load_due_holds") + store_.calls("load_wallets");
  }

  std::size_t questions_ = 0;
};

TEST_F(Unasked, a_transfer_between_known_wallets_asks_nothing) {
  expect(ours_->apply(transfer("t-1", {{"alice", "bob", 10}})), Code::applied);
  expect(ours_->apply(deposit("d-1", "alice", 5)), Code::applied);
  expect(ours_->apply(withdraw("w-1", "bob", 1)), Code::applied);
  EXPECT_EQ(questions_since(), 0U);
  EXPECT_EQ(balance("alice"), 94);
  EXPECT_EQ(balance("bob"), 110);
  expect_sound();
}

TEST_F(Unasked, a_repeat_is_answered_with_the_first_receipt) {
  const auto first = ours_->apply(transfer("t-1", {{"alice", "bob", 10}}));
  const auto again = ours_->apply(transfer("t-1", {{"alice", "bob", 10}}));
  expect(again, Code::already_applied);
  EXPECT_EQ(receipt_of(*again)->legs.front().from_version,
            receipt_of(*first)->legs.front().from_version);
  expect(ours_->apply(transfer("t-1", {{"alice", "bob", 11}})), Code::operation_mismatch);
  EXPECT_EQ(balance("alice"), 89);
  expect_sound();
}

TEST_F(Unasked, a_repeat_that_could_not_be_paid_any_more_is_a_repeat) {
  expect(ours_->apply(withdraw("w-1", "alice", 99)), Code::applied);
  expect(ours_->apply(withdraw("w-1", "alice", 99)), Code::already_applied);
  expect_sound();
}

TEST_F(Unasked, a_repeat_among_others_stops_none_of_them) {
  expect(theirs_->apply(deposit("d-2", "bob", 7)), Code::applied);
  const std::vector<Operation> batch = {
      deposit("d-1", "alice", 1), deposit("d-2", "bob", 7), deposit("d-3", "alice", 1)};
  const auto answers = ours_->apply_batch(batch);
  ASSERT_EQ(answers.size(), 3U);
  expect(answers[0], Code::applied);
  expect(answers[1], Code::already_applied);
  expect(answers[2], Code::applied);
  EXPECT_EQ(balance("alice"), 101);
  EXPECT_EQ(balance("bob"), 108);
  expect_sound();
}

TEST_F(Unasked, a_refusal_asks_before_it_is_answered) {
  expect(ours_->apply(withdraw("w-1", "alice", 1'000)), Code::insufficient_funds);
  EXPECT_GT(questions_since(), 0U);
  expect(theirs_->apply(deposit("d-1", "alice", 1'000)), Code::applied);
  expect(ours_->apply(withdraw("w-2", "alice", 1'000)), Code::applied);
  expect_sound();
}

TEST_F(Unasked, a_wallet_that_changed_elsewhere_is_read_again) {
  expect(theirs_->apply(withdraw("w-1", "alice", 99)), Code::applied);
  expect(ours_->apply(withdraw("w-2", "alice", 99)), Code::insufficient_funds);
  expect(theirs_->apply(deposit("d-1", "bob", 1)), Code::applied);
  expect(ours_->apply(deposit("d-2", "bob", 1)), Code::applied);
  EXPECT_EQ(balance("alice"), 0);
  EXPECT_EQ(balance("bob"), 103);
  expect_sound();
}

TEST_F(Unasked, after_a_repeat_it_asks_for_a_while) {
  expect(theirs_->apply(deposit("d-1", "bob", 1)), Code::applied);
  expect(ours_->apply(deposit("d-1", "bob", 1)), Code::already_applied);
  note_questions();
  expect(ours_->apply(deposit("d-2", "alice", 1)), Code::applied);
  EXPECT_GT(questions_since(), 0U);
  clock_.advance(std::chrono::milliseconds(200));
  note_questions();
  expect(ours_->apply(deposit("d-3", "alice", 1)), Code::applied);
  EXPECT_EQ(questions_since(), 0U);
}

TEST_F(Unasked, a_lost_race_does_not_make_it_ask) {
  expect(theirs_->apply(deposit("d-1", "alice", 1)), Code::applied);
  expect(ours_->apply(deposit("d-2", "alice", 1)), Code::applied);
  note_questions();
  expect(ours_->apply(deposit("d-3", "alice", 1)), Code::applied);
  EXPECT_EQ(questions_since(), 0U);
}

// A round of all of them is one transaction, and not two of a part of them each. A commit takes
// four milliseconds of the clock, and meanwhile its callers' next operations come. On a busy
// machine they may come too late to be waited for, but not always.
TEST_F(Unasked, callers_of_one_wallet_who_come_again_at_once_are_written_together) {
  constexpr int callers = 4;
  constexpr int rounds = 30;
  constexpr std::size_t enough = rounds * 4 / 3;
  store_.before_call([this](std::string_view call) {
    if (call != "commit") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    clock_.advance(std::chrono::milliseconds(4));
  });
  std::size_t fewest = SIZE_MAX;
  int tries = 0;
  for (; fewest >= enough && tries < 20; ++tries) {
    fewest = std::min(fewest, commits_of_credits(callers, rounds));
  }
  EXPECT_LT(fewest, enough);
  EXPECT_EQ(balance("alice"), 99 + tries * callers * rounds);
  expect_sound();
}

// Two threads write, in turn; whatever becomes of one's commit, the other's wallets are as they
// were.
TEST_F(Unasked, many_callers_of_few_wallets_lose_nothing_when_commits_fail) {
  constexpr int callers = 8;
  constexpr int rounds = 50;
  create(*ours_, testkit::wallet("carol"), 100);
  create(*ours_, testkit::wallet("dave"), 100);
  const std::vector<std::string> wallets = {"alice", "bob", "carol", "dave"};
  std::atomic<int> applied = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < callers; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < rounds; ++i) {
          if (t == 0 && i % 5 == 0) store_.fail("commit", testkit::Fault::commit_lost_unreported);
          if (t == 1 && i % 5 == 0) {
            store_.fail("commit", testkit::Fault::commit_applied_unreported);
          }
          const auto from = static_cast<std::size_t>(t + i) % wallets.size();
          const auto to = (from + 1 + static_cast<std::size_t>(t) % 3) % wallets.size();
          const std::string id = "t-" + std::to_string(t) + "-" + std::to_string(i);
          const Code answer = code(ours_->apply(transfer(id, {{wallets[from], wallets[to], 1}})));
          EXPECT_TRUE(answer == Code::applied || answer == Code::insufficient_funds)
              << to_string(answer);
          applied += answer == Code::applied ? 1 : 0;
          EXPECT_EQ(is_recorded(id), answer == Code::applied) << id;
        }
      });
    }
  }
  EXPECT_GT(applied, 0);
  expect_sound();
}

TEST_F(Unasked, money_of_a_hold_that_is_due_can_be_spent_at_once) {
  expect(ours_->apply(hold("h-1", "alice", 90).expires_in(std::chrono::milliseconds(300))),
         Code::applied);
  clock_.advance(std::chrono::milliseconds(400));
  expect(ours_->apply(withdraw("w-1", "alice", 50)), Code::applied);
  EXPECT_EQ(ours_->counters().holds_expired, 1U);
  expect_sound();
}

TEST_F(Unasked, holds_end_within_a_second_although_nothing_asks_for_their_money) {
  expect(ours_->apply(hold("h-1", "alice", 90).expires_in(std::chrono::milliseconds(300))),
         Code::applied);
  for (int i = 0; i < 4; ++i) {
    clock_.advance(std::chrono::milliseconds(400));
    expect(ours_->apply(deposit("d-" + std::to_string(i), "bob", 1)), Code::applied);
  }
  EXPECT_EQ(ours_->counters().holds_expired, 1U);
  expect_sound();
}

TEST_F(Unasked, a_commit_that_nobody_heard_of_is_looked_up) {
  store_.fail("commit", testkit::Fault::commit_applied_unreported);
  expect(ours_->apply(deposit("d-1", "alice", 1)), Code::applied);
  store_.fail("commit", testkit::Fault::commit_lost_unreported);
  expect(ours_->apply(deposit("d-2", "alice", 1)), Code::applied);
  EXPECT_EQ(balance("alice"), 101);
  expect_sound();
}

}  // namespace
}  // namespace mizan::engine
