#include "engine/wallet_cache.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace mizan::engine {
namespace {

WalletState state(std::int64_t number, std::uint64_t revision = 1) {
  WalletState wallet;
  wallet.number = WalletNumber{number};
  wallet.id = WalletId{"wallet-" + std::to_string(number)};
  wallet.revision = revision;
  return wallet;
}

TEST(WalletCache, finds_what_was_put_by_id_and_by_number) {
  WalletCache cache;
  CachedWallet& put = cache.put(state(7));
  EXPECT_EQ(cache.find(WalletId{"wallet-7"}), &put);
  EXPECT_EQ(cache.find(WalletNumber{7}), &put);
  EXPECT_EQ(cache.find(WalletId{"wallet-8"}), nullptr);
  EXPECT_EQ(cache.find(WalletNumber{8}), nullptr);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(WalletCache, replaces_a_state_where_it_is) {
  WalletCache cache;
  CachedWallet& first = cache.put(state(7, 1));
  first.attempt = 3;
  CachedWallet& second = cache.put(state(7, 2));
  EXPECT_EQ(&first, &second);
  EXPECT_EQ(second.revision, 2U);
  EXPECT_EQ(second.attempt, 0U) << "what an attempt noted belongs to the old state";
  EXPECT_EQ(cache.size(), 1U);
}

TEST(WalletCache, forgets_what_is_dropped_and_only_that) {
  WalletCache cache;
  cache.put(state(1));
  cache.put(state(2));
  cache.drop(WalletNumber{1});
  cache.drop(WalletNumber{1});
  cache.drop(WalletNumber{9});
  EXPECT_EQ(cache.find(WalletNumber{1}), nullptr);
  EXPECT_EQ(cache.find(WalletId{"wallet-1"}), nullptr);
  EXPECT_NE(cache.find(WalletId{"wallet-2"}), nullptr);
}

TEST(WalletCache, keeps_pointers_while_it_grows) {
  WalletCache cache;
  const CachedWallet* first = &cache.put(state(1));
  for (int i = 2; i < 20'000; ++i) cache.put(state(i));
  EXPECT_EQ(cache.find(WalletId{"wallet-1"}), first);
  EXPECT_EQ(first->id, WalletId{"wallet-1"});
}

TEST(WalletCache, is_empty_after_clear_and_usable) {
  WalletCache cache;
  for (int i = 1; i < 5'000; ++i) cache.put(state(i));
  cache.clear();
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.find(WalletId{"wallet-1"}), nullptr);
  cache.put(state(1));
  EXPECT_NE(cache.find(WalletId{"wallet-1"}), nullptr);
}

TEST(WalletCache, agrees_with_a_map_over_many_puts_and_drops) {
  std::mt19937 random(20'260'301);  // NOLINT(cert-msc51-cpp): a fixed seed, so that it repeats.
  WalletCache cache;
  std::map<std::int64_t, std::uint64_t> model;
  for (std::uint64_t step = 1; step <= 200'000; ++step) {
    const auto number = static_cast<std::int64_t>(random() % 3'000 + 1);
    if (random() % 2 == 0) {
      cache.put(state(number, step));
      model[number] = step;
    } else {
      cache.drop(WalletNumber{number});
      model.erase(number);
    }
  }
  EXPECT_EQ(cache.size(), model.size());
  for (std::int64_t number = 1; number <= 3'000; ++number) {
    const auto expected = model.find(number);
    const CachedWallet* by_id = cache.find(state(number).id);
    ASSERT_EQ(by_id, cache.find(WalletNumber{number}));
    ASSERT_EQ(by_id != nullptr, expected != model.end()) << number;
    if (by_id != nullptr) {
      ASSERT_EQ(by_id->revision, expected->second);
      ASSERT_EQ(by_id->number, WalletNumber{number});
    }
  }
}

}  // namespace
}  // namespace mizan::engine
