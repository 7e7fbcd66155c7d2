#include "bench/transfer_source.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace mizan::bench {
namespace {

const Leg& leg_of(const Operation& operation) {
  return std::get<Transfer>(operation.body).legs.front();
}

TEST(transfer_source, transfers_are_well_formed_and_never_repeat_an_id) {
  const auto wallets = wallet_names(3);
  for (const IdOrder ids : {IdOrder::time_ordered, IdOrder::random}) {
    TransferSource source(wallets, {Pairing::uniform(3), ids, 1});
    Operation operation = blank_transfer();
    std::set<std::string> seen;
    for (int i = 0; i < 5'000; ++i) {
      source.refresh(operation);
      ASSERT_TRUE(check_form(operation));
      ASSERT_TRUE(parse_operation_id(operation.id.view()));
      ASSERT_TRUE(parse_wallet_id(leg_of(operation).from.view()));
      ASSERT_NE(leg_of(operation).from, leg_of(operation).to);
      ASSERT_GE(leg_of(operation).amount, MinorUnits{1});
      ASSERT_LE(leg_of(operation).amount, MinorUnits{100});
      ASSERT_TRUE(seen.insert(operation.id.str()).second);
    }
  }
}

TEST(transfer_source, time_ordered_ids_only_grow_and_random_ones_do_not) {
  const auto wallets = wallet_names(2);
  TransferSource ordered(wallets, {Pairing::uniform(2), IdOrder::time_ordered, 1});
  TransferSource random(wallets, {Pairing::uniform(2), IdOrder::random, 1});
  OperationId last = ordered.next_id();
  OperationId last_random = random.next_id();
  int falls = 0;
  for (int i = 0; i < 1'000; ++i) {
    const OperationId next = ordered.next_id();
    EXPECT_LT(last, next);
    last = next;
    const OperationId next_random = random.next_id();
    if (next_random < last_random) ++falls;
    last_random = next_random;
  }
  EXPECT_GT(falls, 300);
}

TEST(transfer_source, a_pairing_says_who_pays_whom) {
  const std::size_t count = 10;
  const auto wallets = wallet_names(count);
  const auto pairs = [&](Pairing pairing) {
    TransferSource source(wallets, {pairing, IdOrder::time_ordered, 3});
    std::set<std::size_t> from;
    std::set<std::size_t> to;
    for (int i = 0; i < 2'000; ++i) {
      const auto [a, b] = source.next_wallets();
      EXPECT_NE(a, b);
      from.insert(a);
      to.insert(b);
    }
    return std::pair{from.size(), to.size()};
  };
  EXPECT_EQ(pairs(Pairing::uniform(count)), (std::pair<std::size_t, std::size_t>{10, 10}));
  EXPECT_EQ(pairs(Pairing::credit_one(count)), (std::pair<std::size_t, std::size_t>{9, 1}));
  EXPECT_EQ(pairs(Pairing::debit_one(count)), (std::pair<std::size_t, std::size_t>{1, 9}));
  EXPECT_EQ(pairs(Pairing::debit_few(3, count)), (std::pair<std::size_t, std::size_t>{3, 10}));
  EXPECT_EQ(pairs(Pairing::debit_few(1, count)), (std::pair<std::size_t, std::size_t>{1, 9}));
}

TEST(transfer_source, the_same_seed_moves_the_same_money) {
  const auto wallets = wallet_names(100);
  TransferSource one(wallets, {Pairing::uniform(100), IdOrder::random, 5});
  TransferSource two(wallets, {Pairing::uniform(100), IdOrder::random, 5});
  Operation first = blank_transfer();
  Operation second = blank_transfer();
  for (int i = 0; i < 100; ++i) {
    one.refresh(first);
    two.refresh(second);
    EXPECT_EQ(first.id, second.id);
    EXPECT_EQ(leg_of(first).from, leg_of(second).from);
    EXPECT_EQ(leg_of(first).amount, leg_of(second).amount);
  }
}

}  // namespace
}  // namespace mizan::bench
