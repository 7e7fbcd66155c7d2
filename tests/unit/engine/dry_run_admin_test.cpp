// What does not move money has a dry run too: it decides everything and keeps nothing.

#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

namespace mizan::engine {
namespace {

class DryRunAdmin : public LedgerTest {
 protected:
  void SetUp() override { dry_.dry_run = true; }

  std::optional<Wallet> find(std::string_view id) {
    return store_.inner().snapshot().value()->find_wallet(WalletId{id}).value();
  }

  std::unique_ptr<Ledger> ledger_ = open();
  CallOptions dry_;
};

TEST_F(DryRunAdmin, a_wallet_is_decided_and_not_created) {
  const auto created = ledger_->create_wallet(testkit::wallet("alice"), dry_);
  ASSERT_TRUE(created) << created.error().detail;
  EXPECT_FALSE(created->existed);
  EXPECT_EQ(created->wallet.id.view(), "alice");
  EXPECT_FALSE(find("alice"));
  NewWallet nowhere = testkit::wallet("bob");
  nowhere.currency = parse_currency_code("NOSUCH").value();
  EXPECT_FALSE(ledger_->create_wallet(nowhere, dry_));
}

TEST_F(DryRunAdmin, a_wallet_is_decided_and_not_changed) {
  create(*ledger_, testkit::wallet("alice"), 100);
  WalletPatch freeze;
  freeze.status = WalletStatus::frozen;
  const auto frozen = ledger_->patch_wallet(WalletId{"alice"}, freeze, dry_);
  ASSERT_TRUE(frozen) << frozen.error().detail;
  EXPECT_EQ(std::get<Wallet>(*frozen).status, WalletStatus::frozen);
  EXPECT_EQ(wallet("alice").status, WalletStatus::active);
  WalletPatch close;
  close.status = WalletStatus::closed;
  const auto closed = ledger_->patch_wallet(WalletId{"alice"}, close, dry_);
  ASSERT_TRUE(closed);
  EXPECT_TRUE(std::holds_alternative<Refusal>(*closed)) << "a balance stands in the way";
}

TEST_F(DryRunAdmin, a_currency_is_decided_and_not_registered) {
  const Currency points{parse_currency_code("POINTS").value(), 0};
  const auto added = ledger_->add_currency(points, dry_);
  ASSERT_TRUE(added) << added.error().detail;
  EXPECT_TRUE(*added);
  EXPECT_FALSE(ledger_->find_currency(points.code).value());
}

}  // namespace
}  // namespace mizan::engine
