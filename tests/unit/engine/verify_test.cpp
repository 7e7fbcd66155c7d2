// verify() finds each corruption that is planted between the store and the reader.

#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::capture;
using testkit::hold;
using testkit::transfer;

/// Changes what a reader is shown of the books.
struct Forgery {
  std::string name;
  std::string invariant;  ///< That must be reported.
  std::function<void(std::vector<WalletState>&)> states;
  std::function<void(std::vector<JournalLeg>&)> legs;
  std::function<void(std::vector<HoldRecord>&)> holds;
};

void PrintTo(const Forgery& forgery, std::ostream* out) {
  *out << forgery.name;
}

/// Shows the books of another snapshot, changed. Only what `verify` reads is there.
class ForgedSnapshot final : public Snapshot {
 public:
  ForgedSnapshot(std::unique_ptr<Snapshot> inner, const Forgery& forgery)
      : inner_(std::move(inner)), forgery_(forgery) {}

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    auto page = inner_->read_journal(after, limit);
    if (page && forgery_.legs) forgery_.legs(page->items);
    return page;
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    auto page = inner_->read_states(after, limit);
    if (page && forgery_.states) forgery_.states(page->items);
    return page;
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    auto page = inner_->read_holds(after, limit);
    if (page && forgery_.holds) forgery_.holds(page->items);
    return page;
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    return inner_->sum_due_holds(now);
  }

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    return inner_->find_wallet(id);
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& currency) override {
    return inner_->find_world(currency);
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    return inner_->list_wallets(after, limit);
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) override {
    return inner_->load_wallets(ids);
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    return inner_->find_operation(id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    return inner_->find_hold(id);
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    return inner_->list_entries(query);
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    return inner_->balance_at_time(id, time);
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    return inner_->balance_at_version(id, version);
  }

  Result<std::vector<Currency>> list_currencies() override { return inner_->list_currencies(); }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    return inner_->wallet_id(number);
  }

 private:
  std::unique_ptr<Snapshot> inner_;
  const Forgery& forgery_;
};

class ForgedStore final : public Store {
 public:
  ForgedStore(Store& inner, const Forgery& forgery) : inner_(inner), forgery_(forgery) {}

  [[nodiscard]] StoreDescription describe() const override { return inner_.describe(); }

  Result<std::vector<std::string>> migrate() override { return inner_.migrate(); }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    return inner_.begin(deadline);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override {
    auto inner = inner_.snapshot();
    if (!inner) return inner;
    return std::unique_ptr<Snapshot>(std::make_unique<ForgedSnapshot>(*std::move(inner), forgery_));
  }

  Result<std::vector<Finding>> doctor() override { return inner_.doctor(); }

  Result<std::uint64_t> disk_bytes() override { return inner_.disk_bytes(); }

  LeaseTable& leases() override { return inner_.leases(); }

  GuardTable* guards() override { return inner_.guards(); }

 private:
  Store& inner_;
  const Forgery& forgery_;
};

WalletState& state_of(std::vector<WalletState>& states, std::string_view id) {
  return *std::find_if(
      states.begin(), states.end(), [id](const auto& state) { return state.id == WalletId{id}; });
}

JournalLeg& leg_of(std::vector<JournalLeg>& legs, std::string_view operation) {
  return *std::find_if(legs.begin(), legs.end(), [operation](const auto& leg) {
    return leg.operation == OperationId{operation};
  });
}

MinorUnits plus(MinorUnits units, std::int64_t more) {
  return MinorUnits{units.value() + more};
}

Forgery in_state(std::string name,
                 std::string invariant,
                 std::function<void(std::vector<WalletState>&)> forge) {
  return {std::move(name), std::move(invariant), std::move(forge), {}, {}};
}

Forgery in_leg(std::string name,
               std::string invariant,
               std::function<void(std::vector<JournalLeg>&)> forge) {
  return {std::move(name), std::move(invariant), {}, std::move(forge), {}};
}

Forgery in_hold(std::string name, std::function<void(std::vector<HoldRecord>&)> forge) {
  return {std::move(name), "I9", {}, {}, std::move(forge)};
}

std::vector<Forgery> state_forgeries() {
  return {
      in_state("money_appears",
               "I2",
               [](auto& states) {
                 WalletState& alice = state_of(states, "alice");
                 alice.balance = plus(alice.balance, 1);
               }),
      in_state("money_appears_in_the_sum",
               "I1",
               [](auto& states) {
                 WalletState& alice = state_of(states, "alice");
                 alice.balance = plus(alice.balance, 1);
               }),
      in_state("money_moves_without_an_entry",
               "I2",
               [](auto& states) {
                 WalletState& alice = state_of(states, "alice");
                 WalletState& bob = state_of(states, "bob");
                 alice.balance = plus(alice.balance, -1);
                 bob.balance = plus(bob.balance, 1);
               }),
      in_state("a_version_counts_too_many", "I4", [](auto& s) { ++state_of(s, "bob").version; }),
      in_state("a_wallet_names_another_entry_as_its_newest",
               "I4",
               [](auto& s) { state_of(s, "alice").links.head = Sequence{1}; }),
      in_state("money_is_held_for_nobody",
               "I9",
               [](auto& s) { state_of(s, "bob").held = MinorUnits{5}; }),
      in_state("a_wallet_is_below_its_limit",
               "I3",
               [](auto& s) { state_of(s, "alice").min_balance = MinorUnits{1'000}; }),
      in_state("a_leg_joins_two_currencies",
               "I1",
               [](auto& s) {
                 state_of(s, "bob").currency = {CurrencyCode{"USD"}, 2};
               }),
      in_state("a_wallet_counts_in_another_decimal_place",
               "I1",
               [](auto& s) { state_of(s, "carol").currency.exponent = 3; }),
      in_state("a_wallet_is_in_a_currency_that_nobody_registered",
               "I1",
               [](auto& s) {
                 state_of(s, "carol").currency = {CurrencyCode{"GOLD"}, 2};
               }),
      in_state("a_closed_wallet_has_money",
               "I3",
               [](auto& s) { state_of(s, "bob").status = WalletStatus::closed; }),
      in_state("a_status_does_not_exist",
               "I3",
               [](auto& s) { state_of(s, "bob").status = static_cast<WalletStatus>(9); }),
      in_state("a_wallet_is_missing", "I2", [](auto& states) { states.erase(states.begin() + 1); }),
  };
}

std::vector<Forgery> leg_forgeries() {
  return {
      in_leg(
          "an_amount_is_changed", "I4", [](auto& l) { leg_of(l, "t-1").amount = MinorUnits{7}; }),
      in_leg("an_amount_from_the_world_is_changed",
             "I1",
             [](auto& l) {
               JournalLeg& leg = leg_of(l, "seed-alice");
               leg.amount = plus(leg.amount, 1);
             }),
      in_leg("an_amount_is_negative",
             "I1",
             [](auto& l) { leg_of(l, "t-1").amount = MinorUnits{-60}; }),
      in_leg("an_entry_is_missing", "I4", [](auto& l) { l.erase(l.begin() + 1); }),
      in_leg("the_last_entry_is_missing", "I4", [](auto& l) { l.pop_back(); }),
      in_leg("an_entry_is_there_twice",
             "I4",
             [](auto& l) {
               JournalLeg again = l.back();
               again.sequence = Sequence{again.sequence.value() + 1};
               l.push_back(again);
             }),
      in_leg("a_balance_in_an_entry_is_wrong",
             "I4",
             [](auto& l) {
               JournalLeg& leg = leg_of(l, "t-1");
               leg.to_balance = plus(leg.to_balance, 1);
             }),
      in_leg(
          "a_version_in_an_entry_is_wrong", "I4", [](auto& l) { ++leg_of(l, "t-1").from_version; }),
      in_leg("an_entry_names_another_one_as_the_one_before",
             "I4",
             [](auto& l) { leg_of(l, "t-1").from_links.head = Sequence{77}; }),
      in_leg("an_entry_is_older_than_the_one_before",
             "I4",
             [](auto& l) { leg_of(l, "t-1").at -= std::chrono::hours(1); }),
      in_leg("the_journal_is_out_of_order", "I8", [](auto& l) { std::swap(l[0], l[2]); }),
      in_leg("the_wrong_wallet_pays",
             "I4",
             [](auto& l) {
               JournalLeg& leg = leg_of(l, "t-1");
               std::swap(leg.from, leg.to);
             }),
      in_leg("a_wallet_pays_itself", "I1", [](auto& l) { leg_of(l, "t-1").to = l.front().to; }),
      in_leg("nobody_pays_nobody",
             "I1",
             [](auto& l) {
               JournalLeg& leg = leg_of(l, "t-1");
               leg.from = world_number;
               leg.to = world_number;
             }),
      in_leg("a_jump_goes_forward",
             "I4",
             [](auto& l) { leg_of(l, "t-1").from_links.block = Sequence{4}; }),
      in_leg("an_entry_belongs_to_nobody",
             "I2",
             [](auto& l) { leg_of(l, "t-1").to = WalletNumber{99}; }),
  };
}

std::vector<Forgery> type_forgeries() {
  return {
      in_leg("two_deposits_are_joined",
             "I5",
             [](auto& l) { leg_of(l, "seed-bob").operation = OperationId{"seed-alice"}; }),
      in_leg("a_transfer_is_joined_to_a_deposit",
             "I5",
             [](auto& l) { leg_of(l, "t-1").operation = OperationId{"seed-carol"}; }),
      in_leg("a_deposit_says_it_is_a_withdrawal",
             "I5",
             [](auto& l) { leg_of(l, "seed-bob").type = OperationType::withdraw; }),
      in_leg("a_transfer_says_it_is_a_deposit",
             "I5",
             [](auto& l) { leg_of(l, "t-1").type = OperationType::deposit; }),
      in_leg("the_world_takes_part_in_a_transfer",
             "I5",
             [](auto& l) { leg_of(l, "seed-bob").type = OperationType::transfer; }),
      in_leg(
          "a_hold_has_a_leg", "I5", [](auto& l) { leg_of(l, "t-1").type = OperationType::hold; }),
      in_leg("a_type_does_not_exist",
             "I5",
             [](auto& l) { leg_of(l, "t-1").type = static_cast<OperationType>(99); }),
      in_leg("the_last_operation_contradicts_its_type",
             "I5",
             [](auto& l) { l.back().type = OperationType::transfer; }),
      in_leg("a_capture_says_it_is_a_withdrawal",
             "I9",
             [](auto& l) { leg_of(l, "c-1").type = OperationType::withdraw; }),
  };
}

std::vector<Forgery> hold_forgeries() {
  return {
      in_hold("a_hold_is_missing", [](auto& h) { h.pop_back(); }),
      in_hold("a_hold_is_larger", [](auto& h) { h.back().amount = plus(h.back().amount, 1); }),
      in_hold("a_hold_has_ended_in_secret", [](auto& h) { h.back().status = HoldStatus::voided; }),
      in_hold("a_hold_captured_less", [](auto& h) { h.back().captured = MinorUnits{0}; }),
      in_hold("a_hold_captured_more_than_it_has",
              [](auto& h) { h.back().captured = plus(h.back().amount, 1); }),
      in_hold("a_hold_captured_other_than_its_entries_say",
              [](auto& h) {
                // The same remains held.
                h.back().captured = plus(h.back().captured, 5);
                h.back().amount = plus(h.back().amount, 5);
              }),
      in_hold("a_hold_goes_to_nobody", [](auto& h) { h.back().to = WalletNumber{99}; }),
      in_hold("a_hold_goes_to_another_currency", [](auto& h) { h.back().to = WalletNumber{3}; }),
      in_hold("a_status_of_a_hold_does_not_exist",
              [](auto& h) { h.back().status = static_cast<HoldStatus>(9); }),
      in_hold("a_hold_is_negative", [](auto& h) { h.back().amount = MinorUnits{-1}; }),
      in_hold("a_hold_belongs_to_nobody", [](auto& h) { h.back().wallet = WalletNumber{99}; }),
  };
}

std::vector<Forgery> all_forgeries() {
  std::vector<Forgery> all = state_forgeries();
  for (Forgery& forgery : leg_forgeries()) all.push_back(std::move(forgery));
  for (Forgery& forgery : type_forgeries()) all.push_back(std::move(forgery));
  for (Forgery& forgery : hold_forgeries()) all.push_back(std::move(forgery));
  return all;
}

class VerifyTest : public LedgerTest, public ::testing::WithParamInterface<Forgery> {
 protected:
  void SetUp() override {
    const auto ledger = open();
    create(*ledger, testkit::wallet("alice"), 100);
    create(*ledger, testkit::wallet("bob"), 50);
    create(*ledger, testkit::wallet("carol").in("USD"), 50);
    clock_.advance(std::chrono::seconds(1));
    expect(ledger->apply(transfer("t-1", "alice", "bob", 60)), Code::applied);
    expect(ledger->apply(hold("h-1", "alice", 30)), Code::applied);
    expect(ledger->apply(capture("c-1", "h-1", 10)), Code::applied);
  }
};

TEST_P(VerifyTest, finds_what_was_forged) {
  ForgedStore forged(store_.inner(), GetParam());
  const auto report = verify(forged);
  ASSERT_TRUE(report);
  std::string found;
  for (const Violation& violation : report->violations) {
    found += "\n  " + violation.invariant + " " + violation.wallet + ": " + violation.detail;
  }
  const bool named = std::any_of(
      report->violations.begin(), report->violations.end(), [](const Violation& violation) {
        return violation.invariant == GetParam().invariant;
      });
  EXPECT_TRUE(named) << GetParam().invariant << " is not among:" << found;
}

INSTANTIATE_TEST_SUITE_P(forgeries,
                         VerifyTest,
                         ::testing::ValuesIn(all_forgeries()),
                         [](const auto& one) { return one.param.name; });

using VerifyNames = VerifyTest;

TEST_P(VerifyNames, the_entry_that_disagrees) {
  ForgedStore forged(store_.inner(), GetParam());
  const auto report = verify(forged);
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->violations.empty());
  EXPECT_EQ(report->violations.front().wallet, "alice");
  EXPECT_EQ(report->violations.front().detail, "entry 2 (sequence 4) says it is entry 3");
}

INSTANTIATE_TEST_SUITE_P(
    version,
    VerifyNames,
    ::testing::Values(in_leg("wrong", "I4", [](auto& l) { ++leg_of(l, "t-1").from_version; })),
    [](const auto& one) { return one.param.name; });

using VerifyHonestBooks = VerifyTest;

TEST_P(VerifyHonestBooks, finds_nothing_and_counts) {
  std::uint64_t seen = 0;
  const auto report = verify(store_.inner(), [&seen](std::uint64_t legs) { seen = legs; });
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->violations.empty());
  EXPECT_EQ(report->wallets, 3U);
  EXPECT_EQ(report->entries, 6U);
  EXPECT_EQ(report->holds, 1U);
  EXPECT_EQ(seen, 5U);
}

INSTANTIATE_TEST_SUITE_P(honest,
                         VerifyHonestBooks,
                         ::testing::Values(Forgery{"nothing", "", {}, {}, {}}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace mizan::engine
