#include "base/random.hpp"
#include "testkit/model_ledger.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mizan::conformance {
namespace {

/// Random operations on few wallets with small amounts and few ids, so that repeats, mismatches,
/// empty wallets, ended holds and second reversals all come up often.
class RandomOperations {
 public:
  explicit RandomOperations(std::uint64_t seed) : random_(seed) {}

  Operation next() {
    const std::string id = "op-" + std::to_string(random_.below(60));
    const auto amount = static_cast<std::int64_t>(random_.below(60)) - 1;
    switch (random_.below(8)) {
      case 0:
        return deposit(id, a_wallet(), amount);
      case 1:
        return withdraw(id, a_wallet(), amount);
      case 2:
        return hold(id, a_wallet(), amount);
      case 3:
        return random_.below(2) == 0 ? capture(id, an_id()) : capture(id, an_id(), amount);
      case 4:
        return void_hold(id, an_id());
      case 5:
        return testkit::reverse(id, an_id());
      case 6:
        return transfer(id,
                        {{a_wallet(), a_wallet(), amount}, {a_wallet(), a_wallet(), amount / 2}});
      default:
        return transfer(id, a_wallet(), a_wallet(), amount);
    }
  }

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }

 private:
  std::string_view a_wallet() {
    constexpr std::string_view names[] = {
        "alice", "bob", "carol", "alice", "bob", "carol", "dollar", "nobody"};
    return names[random_.below(std::size(names))];
  }

  std::string an_id() { return "op-" + std::to_string(random_.below(60)); }

  SeededRandom random_;
};

TEST_P(LedgerConformance, random_operations_are_answered_as_the_model_answers_them) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    open_empty();
    ModelLedger model;
    for (const NewWallet& made : {wallet("alice").build(),
                                  wallet("bob").min_balance(-40).build(),
                                  wallet("carol").unlimited().build(),
                                  wallet("dollar").in("USD").build()}) {
      static_cast<void>(must(ledger().create_wallet(made)));
      model.create(made);
    }
    RandomOperations operations(seed);
    for (int step = 0; step < 250; ++step) {
      if (operations.below(25) == 0) {
        const WalletStatus status =
            operations.below(3) == 0 ? WalletStatus::frozen : WalletStatus::active;
        patch("bob", status);
        model.set_status(WalletId("bob"), status);
      }
      const Operation operation = operations.next();
      ASSERT_EQ(to_string(answer(operation)), to_string(model.apply(operation)))
          << "seed " << seed << ", step " << step << ", " << operation.id.view() << ", "
          << to_string(type_of(operation.body));
    }
    for (const auto& [id, expected] : model.wallets()) {
      EXPECT_EQ(balance(id.view()), expected.balance) << id.view() << ", seed " << seed;
      EXPECT_EQ(held(id.view()), expected.held) << id.view() << ", seed " << seed;
      EXPECT_EQ(wallet_now(id.view()).version, expected.entries) << id.view();
    }
    expect_every_promise_kept();
  }
}

}  // namespace
}  // namespace mizan::conformance
