#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

/// One deposit of 1, retried until it is done; false when the deadline came first.
bool deposit_one(Store& store,
                 const std::string& id,
                 std::string_view wallet,
                 LoadLock lock,
                 Deadline deadline) {
  while (system_clock().now() < deadline) {
    auto transaction = store.begin(deadline);
    if (!transaction) continue;
    const OperationId operation(id);
    const OperationId* ids[] = {&operation};
    auto known = (*transaction)->claim(ids);
    if (!known) continue;
    if (!known->empty()) return true;
    auto states = (*transaction)->load_wallets(std::array{WalletId(wallet)}, lock);
    if (!states || !states->at(0)) continue;
    PlanBuilder builder({*states->at(0)});
    builder.deposit(id, wallet, 1);
    Plan plan = builder.build();
    auto written = (*transaction)->write(plan);
    if (!written || !std::holds_alternative<WritesDone>(*written)) continue;
    if ((*transaction)->commit()) return true;
  }
  return false;
}

TEST_P(StoreConformance, many_threads_on_one_wallet_add_up_exactly) {
  constexpr int threads_count = 8;
  constexpr int deposits_each = 50;
  create_with("hot", 0);
  std::atomic<int> done = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < threads_count; ++t) {
      threads.emplace_back([&, t] {
        const LoadLock lock = t % 2 == 0 ? LoadLock::none : LoadLock::update;
        for (int i = 0; i < deposits_each; ++i) {
          const std::string id = "op-" + std::to_string(t) + "-" + std::to_string(i);
          if (deposit_one(store(), id, "hot", lock, soon(60))) ++done;
        }
      });
    }
  }
  EXPECT_EQ(done, threads_count * deposits_each);
  const Wallet hot = wallet_now("hot");
  EXPECT_EQ(hot.balance.value(), threads_count * deposits_each);
  EXPECT_EQ(hot.version, static_cast<std::uint64_t>(threads_count * deposits_each));
}

TEST_P(StoreConformance, many_threads_with_one_id_apply_it_once) {
  create_with("hot", 0);
  std::atomic<int> done = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        if (deposit_one(store(), "op-same", "hot", LoadLock::update, soon(60))) ++done;
      });
    }
  }
  EXPECT_EQ(done, 8);
  EXPECT_EQ(balance("hot"), 1);
}

TEST_P(StoreConformance, readers_beside_writers_always_see_a_ledger_that_adds_up) {
  create_with("alice", 10'000);
  create_with("bob", 0);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> looks = 0;
  {
    std::vector<std::jthread> readers;
    for (int t = 0; t < 3; ++t) {
      readers.emplace_back([&] {
        while (!stop || looks == 0) {
          auto reader = store().snapshot();
          if (!reader) continue;
          auto states = (*reader)->load_wallets(std::array{WalletId("alice"), WalletId("bob")});
          auto page = (*reader)->list_wallets(std::nullopt, 10);
          if (!states || !page || page->items.size() != 2) continue;
          const std::int64_t sum = states->at(0)->balance.value() + states->at(1)->balance.value();
          if (sum != 10'000 || page->items[1].balance != states->at(1)->balance) ++wrong;
          ++looks;
        }
      });
    }
    for (int i = 0; i < 300; ++i) transfer("op-" + std::to_string(i), "alice", "bob", 7);
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(looks, 0);
  EXPECT_EQ(balance("bob"), 2'100);
}

}  // namespace
}  // namespace mizan::conformance
