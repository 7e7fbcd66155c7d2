#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

std::vector<Code> codes_of(const std::vector<Result<Outcome>>& results) {
  std::vector<Code> codes;
  for (const auto& result : results) codes.push_back(code_of(result));
  return codes;
}

using Codes = std::vector<Code>;

TEST_P(LedgerConformance, the_same_id_from_many_threads_is_applied_once) {
  create_with("alice", 100);
  create_with("bob", 0);
  for (int round = 0; round < 5; ++round) {
    const Operation operation = transfer("op-" + std::to_string(round), "alice", "bob", 20);
    std::atomic<int> applied = 0;
    std::atomic<int> repeated = 0;
    std::mutex mutex;
    std::set<std::string> receipts;
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] {
          const auto result = ledger().apply(operation);
          if (code_of(result) == Code::applied) ++applied;
          if (code_of(result) == Code::already_applied) ++repeated;
          const Receipt* receipt = result ? receipt_of(*result) : nullptr;
          const std::lock_guard lock(mutex);
          receipts.insert(receipt == nullptr ? "none" : text_of(*receipt));
        });
      }
    }
    EXPECT_EQ(applied, 1);
    EXPECT_EQ(repeated, 7);
    EXPECT_EQ(receipts.size(), 1U) << "every answer carries the same receipt";
  }
  EXPECT_EQ(balance("bob"), 100);
}

TEST_P(LedgerConformance, withdrawals_that_cannot_all_be_paid_are_paid_as_far_as_it_goes) {
  create_with("alice", 100);
  std::atomic<int> applied = 0;
  std::atomic<int> refused = 0;
  std::atomic<int> other = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        const Operation operation = withdraw("op-" + std::to_string(t), "alice", 30);
        Code code = code_of(ledger().apply(operation));
        for (int i = 0; i < 100 && code == Code::contended; ++i) {
          code = code_of(ledger().apply(operation));
        }
        ++(code == Code::applied ? applied : code == Code::insufficient_funds ? refused : other);
      });
    }
  }
  EXPECT_EQ(applied, 3);
  EXPECT_EQ(refused, 5);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(balance("alice"), 10);
}

TEST_P(LedgerConformance, crossing_transfers_from_many_threads_lose_nothing) {
  create_with("alice", 1'000);
  create_with("bob", 1'000);
  create_with("carol", 1'000);
  const std::string_view names[] = {"alice", "bob", "carol"};
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        for (unsigned i = 0; i < 30; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          const Operation operation =
              transfer(id, names[(t + i) % 3], names[(t + i + 1 + t % 2) % 3], 1 + i % 7);
          const Code code = code_of(ledger().apply(operation));
          if (code != Code::applied && code != Code::contended) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(balance("alice") + balance("bob") + balance("carol"), 3'000);
}

TEST_P(LedgerConformance, a_batch_answers_each_item_in_order) {
  create_with("alice", 100);
  create_with("bob", 0);
  const auto results = batch({
      transfer("op-1", "alice", "bob", 60),
      transfer("op-2", "alice", "bob", 60),  // Refused: only 40 are left.
      transfer("op-3", "alice", "bob", 40),  // Must not suffer from the refused one.
      transfer("op-4", "nobody", "bob", 1),
      transfer("op-5", "bob", "alice", 100),
      deposit("", "bob", 1),
      withdraw("op-6", "alice", 100),
  });
  EXPECT_EQ(codes_of(results),
            (Codes{Code::applied,
                   Code::insufficient_funds,
                   Code::applied,
                   Code::wallet_not_found,
                   Code::applied,
                   Code::invalid_request,
                   Code::applied}));
  EXPECT_EQ(receipt_in(results[2]).legs.at(0).from_balance, MinorUnits{0});
  EXPECT_EQ(receipt_in(results[4]).legs.at(0).to_balance, MinorUnits{100});
  EXPECT_EQ(balance("alice"), 0);
  EXPECT_EQ(balance("bob"), 0);
  EXPECT_EQ(answer(transfer("op-2", "alice", "bob", 60)), Code::insufficient_funds);
}

TEST_P(LedgerConformance, duplicates_inside_one_batch_are_repeats_or_mismatches) {
  create_with("alice", 100);
  create_with("bob", 0);
  const auto results = batch({
      transfer("op-1", "alice", "bob", 10),
      transfer("op-1", "alice", "bob", 10),
      transfer("op-1", "alice", "bob", 11),
      deposit("fund-alice", "alice", 100),
      transfer("op-2", "alice", "bob", 999),
      transfer("op-2", "alice", "bob", 9),  // The refused one left no trace.
      transfer("op-1", "alice", "bob", 10),
  });
  EXPECT_EQ(codes_of(results),
            (Codes{Code::applied,
                   Code::already_applied,
                   Code::operation_mismatch,
                   Code::already_applied,
                   Code::insufficient_funds,
                   Code::applied,
                   Code::already_applied}));
  EXPECT_EQ(text_of(receipt_in(results[0])), text_of(receipt_in(results[1])));
  EXPECT_EQ(text_of(receipt_in(results[0])), text_of(receipt_in(results[6])));
  EXPECT_EQ(balance("bob"), 19);
}

TEST_P(LedgerConformance, a_batch_may_use_what_it_made_itself) {
  create_with("alice", 100);
  create_with("shop", 0);
  const auto results = batch({
      hold("hold-1", "alice", 50).to("shop"),
      capture("op-1", "hold-1", 20),
      withdraw("op-2", "shop", 20),
      reverse("op-3", "op-2"),
      void_hold("op-4", "hold-1"),
      capture("op-5", "hold-1", 1),
      reverse("op-6", "op-2"),
  });
  EXPECT_EQ(codes_of(results),
            (Codes{Code::applied,
                   Code::applied,
                   Code::applied,
                   Code::applied,
                   Code::applied,
                   Code::hold_not_open,
                   Code::already_reversed}));
  EXPECT_EQ(balance("alice"), 80);
  EXPECT_EQ(held("alice"), 0);
  EXPECT_EQ(balance("shop"), 20);
}

TEST_P(LedgerConformance, an_all_or_none_batch_is_refused_as_a_whole) {
  create_with("alice", 100);
  create_with("bob", 0);
  const std::string before = everything();
  const auto results = batch({transfer("op-1", "alice", "bob", 60).fence("lock", 5, "me"),
                              transfer("op-2", "alice", "bob", 60),
                              transfer("op-3", "nobody", "bob", 1)},
                             Atomicity::all_or_none);
  EXPECT_EQ(codes_of(results), (Codes(3, Code::insufficient_funds)));
  EXPECT_EQ(everything(), before);
  const auto again = batch({transfer("op-1", "alice", "bob", 60).fence("lock", 4, "you"),
                            transfer("op-2", "alice", "bob", 40)},
                           Atomicity::all_or_none);
  EXPECT_EQ(codes_of(again), (Codes(2, Code::applied)));
  const auto repeat = batch({transfer("op-1", "alice", "bob", 60).fence("lock", 4, "you"),
                             transfer("op-2", "alice", "bob", 40)},
                            Atomicity::all_or_none);
  EXPECT_EQ(codes_of(repeat), (Codes(2, Code::already_applied)));
  EXPECT_EQ(balance("bob"), 100);
}

TEST_P(LedgerConformance, a_refused_batch_leaves_what_was_applied_before_it_applied) {
  create_with("alice", 100);
  create_with("bob", 0);
  EXPECT_EQ(codes_of(batch({transfer("op-1", "alice", "bob", 60)})), (Codes{Code::applied}));
  const std::string before = everything();
  const auto results = batch({transfer("op-1", "alice", "bob", 60),
                              transfer("op-2", "alice", "bob", 10),
                              transfer("op-2", "alice", "bob", 10),
                              transfer("op-3", "alice", "bob", 60)},
                             Atomicity::all_or_none);
  EXPECT_EQ(codes_of(results),
            (Codes{Code::already_applied,
                   Code::insufficient_funds,
                   Code::insufficient_funds,
                   Code::insufficient_funds}));
  EXPECT_EQ(everything(), before);
}

TEST_P(LedgerConformance, a_dry_run_of_a_batch_decides_in_order_and_keeps_nothing) {
  create_with("alice", 100);
  create_with("bob", 0);
  const std::string before = everything();
  CallOptions dry;
  dry.dry_run = true;
  const auto results = batch({transfer("op-1", "alice", "bob", 60),
                              transfer("op-2", "alice", "bob", 60),
                              transfer("op-3", "bob", "alice", 60)},
                             Atomicity::independent,
                             dry);
  EXPECT_EQ(codes_of(results), (Codes{Code::applied, Code::insufficient_funds, Code::applied}));
  EXPECT_EQ(everything(), before);
}

TEST_P(LedgerConformance, an_empty_batch_has_no_answers) {
  EXPECT_TRUE(batch({}).empty());
  EXPECT_TRUE(batch({}, Atomicity::all_or_none).empty());
}

TEST_P(LedgerConformance, a_refusal_is_forgotten_or_kept_as_asked) {
  create_with("alice", 10);
  const Operation operation = withdraw("op-1", "alice", 60);
  CallOptions final;
  final.refusals = RefusalMode::final;
  EXPECT_EQ(answer(operation), Code::insufficient_funds);
  const Refusal first = refusal_in(apply(operation, final));
  EXPECT_EQ(first.code, Code::insufficient_funds);
  ASSERT_EQ(answer(deposit("op-2", "alice", 1'000)), Code::applied);
  for (const CallOptions& options : {CallOptions{}, final}) {
    const auto repeat = apply(operation, options);
    const Refusal refusal = refusal_in(repeat);
    EXPECT_TRUE(std::get<Refused>(*repeat).replayed);
    EXPECT_EQ(refusal.code, first.code);
    EXPECT_EQ(refusal.detail, first.detail);
    EXPECT_EQ(refusal.available, MinorUnits{10});
    EXPECT_EQ(refusal.needed, MinorUnits{60});
  }
  EXPECT_EQ(answer(withdraw("op-1", "alice", 61), final), Code::operation_mismatch);
  EXPECT_EQ(balance("alice"), 1'010);
}

TEST_P(LedgerConformance, a_stale_fence_is_never_final) {
  create_with("alice", 10);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 1).fence("lock", 5, "a")), Code::applied);
  CallOptions final;
  final.refusals = RefusalMode::final;
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1).fence("lock", 4, "b"), final), Code::stale_fence);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1).fence("lock", 6, "b"), final), Code::applied);
}

TEST_P(LedgerConformance, a_final_refusal_in_a_batch_does_not_stop_the_rest) {
  create_with("alice", 10);
  CallOptions final;
  final.refusals = RefusalMode::final;
  const auto results = batch({withdraw("op-1", "alice", 11),
                              withdraw("op-2", "alice", 10),
                              withdraw("op-1", "alice", 11),
                              deposit("op-3", "alice", 50)},
                             Atomicity::independent,
                             final);
  EXPECT_EQ(
      codes_of(results),
      (Codes{Code::insufficient_funds, Code::applied, Code::insufficient_funds, Code::applied}));
  EXPECT_EQ(answer(withdraw("op-1", "alice", 11)), Code::insufficient_funds);
  EXPECT_EQ(balance("alice"), 50);
}

TEST_P(LedgerConformance, a_ledger_that_is_opened_again_still_knows_every_id) {
  create_with("alice", 100);
  const auto first = apply(withdraw("op-1", "alice", 30));
  restart();
  const auto repeat = apply(withdraw("op-1", "alice", 30));
  EXPECT_EQ(code_of(repeat), Code::already_applied);
  EXPECT_EQ(text_of(receipt_in(repeat)), text_of(receipt_in(first)));
  EXPECT_EQ(answer(withdraw("op-1", "alice", 31)), Code::operation_mismatch);
}

TEST_P(LedgerConformance, strategies_may_be_mixed_on_one_ledger) {
  create_with("alice", 1'000);
  create_with("bob", 0);
  std::int64_t expected = 0;
  for (int i = 0; i < 24; ++i) {
    CallOptions options;
    options.strategy = static_cast<Strategy>(i % 4);
    const std::string id = "op-" + std::to_string(i);
    EXPECT_EQ(answer(transfer(id, "alice", "bob", i + 1), options), Code::applied);
    expected += i + 1;
    options.strategy = static_cast<Strategy>((i + 1) % 4);
    EXPECT_EQ(answer(transfer(id, "alice", "bob", i + 1), options), Code::already_applied);
    EXPECT_EQ(answer(withdraw("too-much", "bob", expected + 1), options), Code::insufficient_funds);
  }
  EXPECT_EQ(balance("bob"), expected);
}

}  // namespace
}  // namespace mizan::conformance
