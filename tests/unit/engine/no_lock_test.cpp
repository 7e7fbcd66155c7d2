#include "mizan/ledger.hpp"
#include "mizan/memory.hpp"

#include <gtest/gtest.h>

namespace mizan {
namespace {

TEST(no_lock_test, tokens_that_order_nothing_are_never_fences) {
  const auto store = make_memory_store(system_clock());
  ASSERT_TRUE(store->migrate());
  const auto lock = make_no_lock(system_clock());
  EXPECT_FALSE(lock->excludes());
  LedgerOptions options;
  options.lock = lock.get();
  Ledger ledger(*store, system_clock(), options);
  NewWallet wallet;
  wallet.id = WalletId{"alice"};
  wallet.currency = CurrencyCode{"EUR"};
  ASSERT_TRUE(ledger.create_wallet(wallet));

  Operation deposit;
  deposit.id = OperationId{"first"};
  deposit.body = Deposit{wallet.id, MinorUnits{10}, {}};
  const auto outcome = ledger.apply(deposit);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(code_of(*outcome), Code::applied);

  // Had the token become a mark, an older holder of "the lock" would be refused from now on.
  auto transaction = store->begin(system_clock().now() + std::chrono::seconds(5));
  ASSERT_TRUE(transaction);
  const auto mark = (*transaction)->load_fence(Resource{"mizan:wallet/alice"});
  ASSERT_TRUE(mark);
  EXPECT_FALSE(mark->has_value());
}

}  // namespace
}  // namespace mizan
