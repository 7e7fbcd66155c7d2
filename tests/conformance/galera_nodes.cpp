// Several nodes of a cluster that write the same wallets at the same time. Locks are a node's own:
// whoever is second fails at COMMIT.

#include "tests/conformance/galera_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace mizan::conformance {
namespace {

class GaleraNodes : public GaleraLedgers {};

TEST_F(GaleraNodes, of_every_strategy_never_overdraw_a_wallet_together) {
  create_with("alice", 100);
  create_with("bob", 0);
  std::atomic<int> applied = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 5; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          const Code code = apply_until_answered(t % 4, transfer(id, "alice", "bob", 8));
          applied += code == Code::applied ? 1 : 0;
          refused += code == Code::insufficient_funds ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(applied, 12) << "100 pays for twelve times 8";
  EXPECT_EQ(refused, 28);
  EXPECT_EQ(balance("alice", 1), 4);
  EXPECT_EQ(balance("bob", 2), 96);
}

TEST_F(GaleraNodes, with_one_hot_wallet_lose_nothing_and_all_of_them_get_on) {
  create_with("hot", 0);
  constexpr int each = 40;
  std::atomic<int> applied = 0;
  std::vector<int> by_ledger(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t index = 0; index < 4; ++index) {
      threads.emplace_back([&, index] {
        for (int i = 0; i < each; ++i) {
          const std::string id = "op-" + std::to_string(index) + "-" + std::to_string(i);
          if (apply_until_answered(index, deposit(id, "hot", 1)) != Code::applied) continue;
          ++by_ledger[index];
          ++applied;
        }
      });
    }
  }
  EXPECT_EQ(applied, 4 * each);
  for (const int count : by_ledger) EXPECT_EQ(count, each);
  for (std::size_t node = 0; node < GaleraCluster::size; ++node) {
    const Wallet hot = wallet_at(node, "hot");
    EXPECT_EQ(hot.balance.value(), 4 * each);
    EXPECT_EQ(hot.version, static_cast<std::uint64_t>(4 * each));
  }
  const auto snapshot = must(store(1).snapshot());
  std::uint64_t version = 0;
  for (const JournalLeg& leg : must(snapshot->read_journal(Sequence{0}, 1'000)).items) {
    EXPECT_EQ(leg.to_version, ++version) << "the journal is read in order of sequence";
  }
}

TEST_F(GaleraNodes, apply_an_id_that_all_of_them_get_once) {
  create_with("alice", 100);
  for (int round = 0; round < 10; ++round) {
    const Operation operation = withdraw("op-" + std::to_string(round), "alice", 10);
    std::atomic<int> applied = 0;
    std::atomic<int> repeated = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t index = 0; index < 4; ++index) {
        threads.emplace_back([&, index] {
          const Code code = apply_until_answered(index, operation);
          applied += code == Code::applied ? 1 : 0;
          repeated += code == Code::already_applied ? 1 : 0;
        });
      }
    }
    EXPECT_EQ(applied, 1) << round;
    EXPECT_EQ(repeated, 3) << round << ": the last round empties the wallet";
  }
  EXPECT_EQ(balance("alice", 1), 0);
}

TEST_F(GaleraNodes, that_each_rely_on_what_the_other_writes_never_both_commit) {
  // "Take 60 of mine while yours has 60 left": one after the other, only the first may.
  for (int round = 0; round < 12; ++round) {
    const std::string number = std::to_string(round);
    const std::string alice = "alice-" + number;
    const std::string bob = "bob-" + number;
    create_with(alice, 100);
    create_with(bob, 100);
    const auto take = [&](const std::string& from, const std::string& other) -> Operation {
      Condition condition;
      condition.wallet = WalletId(other);
      condition.min_balance = MinorUnits{60};
      return withdraw("take-" + from, from, 60).condition(condition);
    };
    Code first = Code::internal;
    Code second = Code::internal;
    {
      // Both have read everything before either commits.
      const std::size_t strategy = round % 3 == 2 ? 2 : 0;  // The optimistic one, or batched.
      std::jthread one([&] { first = apply_until_answered(strategy, take(alice, bob)); });
      std::jthread two([&] { second = apply_until_answered(1, take(bob, alice)); });
    }
    EXPECT_EQ((first == Code::applied) + (second == Code::applied), 1)
        << number << ": " << to_string(first) << ", " << to_string(second);
    EXPECT_EQ((first == Code::condition_failed) + (second == Code::condition_failed), 1) << number;
  }
}

TEST_F(GaleraNodes, see_what_was_acknowledged_by_another_one) {
  create_with("alice", 0);
  for (int i = 0; i < 60; ++i) {
    const std::size_t writer = static_cast<std::size_t>(i) % 4;
    const std::string id = "op-" + std::to_string(i);
    ASSERT_EQ(apply_until_answered(writer, deposit(id, "alice", 1)), Code::applied);
    const auto snapshot = must(store((writer + 1) % 4).snapshot());
    EXPECT_EQ(must_have(snapshot->find_wallet(WalletId("alice"))).balance.value(), i + 1);
    EXPECT_TRUE(must(snapshot->find_operation(OperationId(id))));
  }
}

TEST_F(GaleraNodes, refuse_and_pay_by_what_was_acknowledged_by_another_one) {
  create_with("alice", 0);
  create_with("shop", 0);
  ASSERT_EQ(code_of(ledger(1).apply(withdraw("op-early", "alice", 10))), Code::insufficient_funds);
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_EQ(apply_until_answered(0, deposit("in-" + number, "alice", 10)), Code::applied);
    ASSERT_EQ(code_of(ledger(1).apply(withdraw("out-" + number, "alice", 10))), Code::applied) << i;
    ASSERT_EQ(code_of(ledger(2).apply(withdraw("more-" + number, "alice", 1))),
              Code::insufficient_funds)
        << i;
  }
  ASSERT_EQ(apply_until_answered(0, deposit("in", "alice", 10)), Code::applied);
  for (const std::size_t index : {1, 2, 3}) {
    const std::string id = "pay-" + std::to_string(index);
    ASSERT_EQ(code_of(ledger(index).apply(transfer(id, "alice", "shop", 1))), Code::applied);
  }
  WalletPatch freeze;
  freeze.status = WalletStatus::frozen;
  static_cast<void>(must(ledger(0).patch_wallet(WalletId("shop"), freeze)));
  for (const std::size_t index : {1, 2, 3}) {
    const std::string id = "late-" + std::to_string(index);
    EXPECT_EQ(code_of(ledger(index).apply(transfer(id, "alice", "shop", 1))), Code::wallet_frozen);
  }
}

TEST_F(GaleraNodes, undo_and_capture_a_thing_once) {
  create_with("alice", 100);
  create_with("bob", 0);
  for (int round = 0; round < 6; ++round) {
    const std::string number = std::to_string(round);
    ASSERT_EQ(apply_until_answered(0, transfer("pay-" + number, "alice", "bob", 10)),
              Code::applied);
    ASSERT_EQ(apply_until_answered(0, hold("hold-" + number, "alice", 5)), Code::applied);
    std::atomic<int> undone = 0;
    std::atomic<int> captured = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t index = 0; index < 4; ++index) {
        threads.emplace_back([&, index] {
          const std::string mine = number + "-" + std::to_string(index);
          const Code undo =
              apply_until_answered(index, testkit::reverse("undo-" + mine, "pay-" + number));
          undone += undo == Code::applied ? 1 : 0;
          const Code capturing =
              apply_until_answered(index, capture("capture-" + mine, "hold-" + number, 5));
          captured += capturing == Code::applied ? 1 : 0;
        });
      }
    }
    EXPECT_EQ(undone, 1) << round;
    EXPECT_EQ(captured, 1) << round;
  }
  EXPECT_EQ(balance("alice"), 100 - 6 * 5);
  EXPECT_EQ(balance("bob"), 0);
}

TEST_F(GaleraNodes, start_at_once_on_an_empty_database_and_one_of_them_migrates) {
  const testkit::TempDir fresh("mizan-fresh");
  std::atomic<int> ran = 0;
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        auto store =
            open_galera(cluster().url(t % GaleraCluster::size), fresh.path(), system_clock());
        auto names = store ? (*store)->migrate() : store.error();
        if (!names) ADD_FAILURE() << names.error().where << ": " << names.error().detail;
        if (!names) ++failed;
        if (names && !names->empty()) ++ran;
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(GaleraNodes, grant_leases_whose_tokens_differ_and_grow) {
  const Resource resource("wallet/alice");
  std::vector<std::int64_t> tokens;
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (std::size_t index = 0; index < 4; ++index) {
      threads.emplace_back([&, index] {
        const LockOwner owner("owner-" + std::to_string(index));
        LeaseTable& leases = store(index).leases();
        for (int granted = 0; granted < 10;) {
          auto attempt = leases.acquire(resource, owner, std::chrono::seconds(30));
          if (!attempt) continue;
          const auto* lease = std::get_if<LeaseGranted>(&*attempt);
          if (lease == nullptr) continue;
          {
            // Nobody else holds it meanwhile, so tokens come in the order in which they are noted.
            const std::scoped_lock lock(mutex);
            tokens.push_back(lease->token.value());
          }
          ++granted;
          while (!leases.release(resource, owner)) {
          }
        }
      });
    }
  }
  EXPECT_EQ(tokens.size(), 40U);
  EXPECT_TRUE(std::is_sorted(tokens.begin(), tokens.end()));
  EXPECT_EQ(std::set(tokens.begin(), tokens.end()).size(), tokens.size());
}

TEST_F(GaleraNodes, draw_epochs_that_differ) {
  std::set<std::int64_t> epochs;
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (std::size_t index = 0; index < 4; ++index) {
      threads.emplace_back([&, index] {
        for (int i = 0; i < 10; ++i) {
          const std::int64_t epoch = must(store(index).epochs()->next_epoch(0));
          const std::scoped_lock lock(mutex);
          epochs.insert(epoch);
        }
      });
    }
  }
  EXPECT_EQ(epochs.size(), 40U);
}

TEST_F(GaleraNodes, remember_one_fence_of_all_that_are_shown_at_once) {
  create_with("alice", 1'000);
  for (std::int64_t round = 1; round <= 8; ++round) {
    std::atomic<int> applied = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t index = 0; index < 4; ++index) {
        threads.emplace_back([&, index] {
          const std::string owner = "owner-" + std::to_string(index);
          const std::string id = "op-" + std::to_string(round) + "-" + owner;
          const Operation operation = withdraw(id, "alice", 1).fence("lock", round, owner);
          applied += apply_until_answered(index, operation) == Code::applied ? 1 : 0;
        });
      }
    }
    EXPECT_EQ(applied, 1) << "one token, four owners";
  }
  EXPECT_EQ(balance("alice"), 992);
}

TEST_F(GaleraNodes, compare_a_token_that_is_shown_again_with_a_newer_one_elsewhere) {
  create_with("alice", 100);
  const Operation first = withdraw("op-first", "alice", 1).fence("lock", 5, "me");
  ASSERT_EQ(apply_until_answered(0, first), Code::applied);
  const auto shown = [](Transaction& transaction, std::int64_t token, std::string_view owner) {
    const Fence fence{Resource("lock"), FenceToken{token}, LockOwner(owner)};
    return std::holds_alternative<FenceAccepted>(must(transaction.advance_fence(fence)));
  };
  const Deadline deadline = system_clock().now() + std::chrono::seconds(30);
  const auto again = must(store(0).begin(deadline));
  ASSERT_TRUE(shown(*again, 5, "me")) << "the same owner's";
  const auto newer = must(store(1).begin(deadline));
  ASSERT_TRUE(shown(*newer, 6, "another"));
  must(newer->commit());
  const Status late = again->commit();
  ASSERT_FALSE(late) << "its token was outdated when it came to its COMMIT";
  EXPECT_EQ(late.error().certainty, Certainty::not_applied);
  EXPECT_EQ(late.error().retry, Retry::now);
}

TEST_F(GaleraNodes, whose_disks_may_forget_are_called_a_problem) {
  const auto finding = [&](std::string_view about) {
    for (const Finding& found : must(store(1).doctor())) {
      if (found.name == about) return found;
    }
    return Finding{};
  };
  EXPECT_EQ(finding("cluster").level, Finding::Level::ok) << finding("cluster").detail;
  EXPECT_EQ(finding("innodb_flush_log_at_trx_commit").level, Finding::Level::ok);
  must(cluster().execute(1, "SET GLOBAL innodb_flush_log_at_trx_commit = 0"));
  EXPECT_EQ(finding("innodb_flush_log_at_trx_commit").level, Finding::Level::problem);
  must(cluster().execute(1, "SET GLOBAL innodb_flush_log_at_trx_commit = 1"));
  must(cluster().set_provider_options(1, "pc.ignore_sb=true"));
  EXPECT_EQ(finding("cluster_majority").level, Finding::Level::problem);
  must(cluster().set_provider_options(1, "pc.ignore_sb=false"));
  EXPECT_EQ(finding("cluster_majority").level, Finding::Level::ok);
}

}  // namespace
}  // namespace mizan::conformance
