#include "tests/golden/receipt_text.hpp"
#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::transfer;
using testkit::withdraw;

class LedgerConcurrency : public LedgerTest, public ::testing::WithParamInterface<Strategy> {
 protected:
  [[nodiscard]] std::unique_ptr<Ledger> open_with_strategy() {
    LedgerOptions options;
    options.strategy = GetParam();
    options.optimistic_attempts_max = 100;
    return open(options);
  }

  /// Runs `work(i)` on `count` threads that begin together.
  template <class Work>
  static void together(std::size_t count, Work work) {
    std::barrier start(static_cast<std::ptrdiff_t>(count));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&start, &work, i] {
        start.arrive_and_wait();
        work(i);
      });
    }
  }
};

TEST_P(LedgerConcurrency, one_of_sixteen_equal_requests_is_applied_and_the_others_are_told) {
  const auto ledger = open_with_strategy();
  create(*ledger, testkit::wallet("alice"), 100);
  create(*ledger, testkit::wallet("bob"));
  std::vector<std::string> receipts(16);
  std::atomic<int> applied{0};
  std::atomic<int> replayed{0};
  together(receipts.size(), [&](std::size_t i) {
    const auto result = ledger->apply(transfer("op-1", "alice", "bob", 60));
    applied += code(result) == Code::applied ? 1 : 0;
    replayed += code(result) == Code::already_applied ? 1 : 0;
    if (result && receipt_of(*result) != nullptr) {
      receipts[i] = golden::text_of(*receipt_of(*result));
    }
  });
  EXPECT_EQ(applied, 1);
  EXPECT_EQ(replayed, 15);
  for (const std::string& receipt : receipts) EXPECT_EQ(receipt, receipts.front());
  EXPECT_EQ(balance("alice"), 40);
  EXPECT_EQ(balance("bob"), 60);
  expect_sound();
}

TEST_P(LedgerConcurrency, two_withdrawals_that_only_one_can_afford_never_both_succeed) {
  const auto ledger = open_with_strategy();
  create(*ledger, testkit::wallet("alice"));
  for (int round = 0; round < 20; ++round) {
    const std::string suffix = std::to_string(round);
    expect(ledger->apply(testkit::deposit("in-" + suffix, "alice", 100)), Code::applied);
    std::atomic<int> applied{0};
    std::atomic<int> refused{0};
    together(2, [&](std::size_t i) {
      const auto result =
          ledger->apply(withdraw("out-" + suffix + "-" + std::to_string(i), "alice", 80));
      applied += code(result) == Code::applied ? 1 : 0;
      refused += code(result) == Code::insufficient_funds ? 1 : 0;
    });
    ASSERT_EQ(applied, 1);
    ASSERT_EQ(refused, 1);
    expect(ledger->apply(withdraw("rest-" + suffix, "alice", 20)), Code::applied);
  }
  expect_sound();
}

TEST_P(LedgerConcurrency, money_that_crosses_is_conserved) {
  const auto ledger = open_with_strategy();
  create(*ledger, testkit::wallet("alice"), 1'000);
  create(*ledger, testkit::wallet("bob"), 1'000);
  together(8, [&](std::size_t thread) {
    for (int i = 0; i < 25; ++i) {
      const std::string id = std::to_string(thread) + "-" + std::to_string(i);
      const bool forth = thread % 2 == 0;
      const auto result =
          ledger->apply(transfer(id, forth ? "alice" : "bob", forth ? "bob" : "alice", 7));
      EXPECT_EQ(to_string(code(result)), "applied");
    }
  });
  EXPECT_EQ(balance("alice"), 1'000);
  EXPECT_EQ(balance("bob"), 1'000);
  EXPECT_EQ(wallet("alice").version, 201U);
  EXPECT_EQ(ledger->counters().operations_applied, 202U);
  expect_sound();
}

INSTANTIATE_TEST_SUITE_P(strategies,
                         LedgerConcurrency,
                         ::testing::Values(Strategy::batched,
                                           Strategy::atomic,
                                           Strategy::optimistic,
                                           Strategy::pessimistic),
                         [](const auto& one) { return std::string(to_string(one.param)); });

}  // namespace
}  // namespace mizan::engine
