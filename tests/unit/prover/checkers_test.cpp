#include "prover/checkers/checkers.hpp"

#include "testkit/builders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::prover {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr WalletNumber alice{1};
constexpr WalletNumber bob{2};

WalletImage wallet(WalletNumber number,
                   std::string_view id,
                   std::int64_t balance,
                   std::uint64_t version) {
  WalletImage image;
  image.number = number;
  image.id = WalletId{id};
  image.currency = CurrencyCode{"EUR"};
  image.balance = MinorUnits{balance};
  image.version = version;
  return image;
}

/// One side of a leg: whose it is, and what it had and was after it.
struct Side {
  WalletNumber number = world_number;
  std::string_view id = "@world/EUR";
  std::int64_t balance = 0;
  std::uint64_t version = 0;
};

/// A ledger of two wallets with three operations, each asked for once, one after the other, and
/// two refusals; everything in it is right.
class RightHistory {
 public:
  RightHistory() {
    add("fund", testkit::deposit("fund", "alice", 100), {}, {alice, "alice", 100, 1}, 100);
    add("move",
        testkit::transfer("move", "alice", "bob", 60),
        {alice, "alice", 40, 2},
        {bob, "bob", 60, 1},
        60);
    add("take", testkit::withdraw("take", "bob", 10), {bob, "bob", 50, 2}, {}, 10);
    refuse(
        "too-much", testkit::withdraw("too-much", "alice", 41), Code::insufficient_funds, 40, 41);
    evidence.image.wallets = {wallet(alice, "alice", 40, 2), wallet(bob, "bob", 50, 2)};
    evidence.image.worlds[CurrencyCode{"EUR"}] = -90;
  }

  void add(std::string_view id,
           Operation operation,
           const Side& from,
           const Side& to,
           std::int64_t amount) {
    LegImage leg;
    leg.sequence = Sequence{static_cast<std::int64_t>(evidence.image.journal.size()) + 1};
    leg.operation = OperationId{id};
    leg.from = from.number;
    leg.to = to.number;
    leg.amount = MinorUnits{amount};
    leg.from_balance = MinorUnits{from.balance};
    leg.from_version = from.version;
    leg.to_balance = MinorUnits{to.balance};
    leg.to_version = to.version;
    evidence.image.journal.push_back(leg);
    LegReceipt said;
    said.from = WalletId{from.id};
    said.to = WalletId{to.id};
    said.amount = leg.amount;
    said.currency = CurrencyCode{"EUR"};
    if (from.number != world_number) {
      said.from_balance = leg.from_balance;
      said.from_version = leg.from_version;
    }
    if (to.number != world_number) {
      said.to_balance = leg.to_balance;
      said.to_version = leg.to_version;
    }
    Receipt receipt;
    receipt.id = leg.operation;
    receipt.type = type_of(operation.body);
    receipt.legs.push_back(said);
    evidence.image.operations[leg.operation] = receipt;
    Call& call = ask(std::move(operation));
    call.end = CallEnd::ok;
    call.code = Code::applied;
    call.receipt = receipt;
  }

  Call& refuse(std::string_view,
               Operation operation,
               Code code,
               std::int64_t available,
               std::int64_t needed) {
    Call& call = ask(std::move(operation));
    call.end = CallEnd::fail;
    call.code = code;
    call.available = MinorUnits{available};
    call.needed = MinorUnits{needed};
    return call;
  }

  Call& repeat(std::string_view id) {
    const Call first = call_of(id);
    Call& call = ask(first.operation);
    call.end = CallEnd::ok;
    call.code = Code::already_applied;
    call.receipt = first.receipt;
    return call;
  }

  Call& call_of(std::string_view id) {
    for (Call& call : evidence.calls) {
      if (call.operation.id.view() == id) return call;
    }
    ADD_FAILURE() << "no call " << id;
    return evidence.calls.front();
  }

  LegImage& leg_of(std::string_view id) {
    for (LegImage& leg : evidence.image.journal) {
      if (leg.operation.view() == id) return leg;
    }
    ADD_FAILURE() << "no leg " << id;
    return evidence.image.journal.front();
  }

  Evidence evidence;

 private:
  Call& ask(Operation operation) {
    Call call;
    call.operation = std::move(operation);
    call.invoked = ++ordinal_;
    call.ended = ++ordinal_;
    evidence.calls.push_back(std::move(call));
    return evidence.calls.back();
  }

  std::uint64_t ordinal_ = 0;
};

void expect_caught(const CheckResult& result,
                   std::string_view invariant,
                   const std::string& words) {
  EXPECT_EQ(result.invariant, invariant);
  ASSERT_THAT(result.violations, Not(IsEmpty()));
  EXPECT_THAT(result.violations.front(), HasSubstr(words));
}

TEST(Checkers, find_nothing_in_a_right_history) {
  RightHistory history;
  history.repeat("move");
  Fence held = testkit::fence("wallet:alice", 7, "me");
  history.call_of("fund").held = held;
  held.token = FenceToken{8};
  history.call_of("move").held = held;
  history.evidence.acked_before_crash = {OperationId{"fund"}};
  for (const CheckResult& result : check_all(history.evidence)) {
    EXPECT_THAT(result.violations, IsEmpty()) << result.invariant;
  }
}

TEST(Checkers, count_what_they_looked_at) {
  RightHistory history;
  EXPECT_GT(check_conservation(history.evidence).facts, 0U);
  EXPECT_GT(check_refusals(history.evidence).facts, 0U);
  EXPECT_EQ(check_fences(history.evidence).facts, 0U);
  EXPECT_THAT(check_all(history.evidence), SizeIs(13));
}

TEST(Checkers, i1_money_that_never_came_in) {
  RightHistory history;
  history.evidence.image.wallets.back().balance = MinorUnits{51};
  expect_caught(check_conservation(history.evidence), "I1", "hold 91, but the journal let in 90");
}

TEST(Checkers, i1_a_world_that_disagrees) {
  RightHistory history;
  history.evidence.image.worlds[CurrencyCode{"EUR"}] = -89;
  expect_caught(check_conservation(history.evidence), "I1", "@world/EUR says -89");
}

TEST(Checkers, i1_a_leg_between_two_currencies) {
  RightHistory history;
  history.evidence.image.wallets.back().currency = CurrencyCode{"USD"};
  expect_caught(check_conservation(history.evidence), "I1", "different currencies");
}

TEST(Checkers, i2_a_balance_that_is_not_the_sum_of_its_entries) {
  RightHistory history;
  // The sum over all wallets stays right: only the single wallets are wrong.
  history.evidence.image.wallets.front().balance = MinorUnits{39};
  history.evidence.image.wallets.back().balance = MinorUnits{51};
  EXPECT_THAT(check_conservation(history.evidence).violations, IsEmpty());
  expect_caught(check_balances(history.evidence), "I2", "alice says 39");
}

TEST(Checkers, i3_a_wallet_below_its_limit) {
  RightHistory history;
  history.evidence.floors[WalletId{"alice"}] = MinorUnits{41};
  expect_caught(check_floors(history.evidence), "I3", "has 40 available, its limit is 41");
}

TEST(Checkers, i3_a_wallet_that_was_below_its_limit_for_a_while) {
  RightHistory history;
  history.add("back", testkit::deposit("back", "bob", 100), {}, {bob, "bob", 150, 3}, 100);
  history.evidence.image.wallets.back() = wallet(bob, "bob", 150, 3);
  history.evidence.floors[WalletId{"bob"}] = MinorUnits{55};
  const CheckResult result = check_floors(history.evidence);
  expect_caught(result, "I3", "fell to 50 at operation take");
  EXPECT_THAT(result.violations, SizeIs(1));
}

TEST(Checkers, i3_held_money_is_not_available) {
  RightHistory history;
  history.evidence.image.wallets.front().held = MinorUnits{41};
  expect_caught(check_floors(history.evidence), "I3", "has -1 available");
}

TEST(Checkers, i4_a_gap_in_the_versions) {
  RightHistory history;
  history.leg_of("take").from_version = 3;
  expect_caught(check_chains(history.evidence), "I4", "version 3, expected 2");
}

TEST(Checkers, i4_an_entry_that_does_not_continue_the_one_before) {
  RightHistory history;
  history.leg_of("move").from_balance = MinorUnits{41};
  expect_caught(check_chains(history.evidence), "I4", "100 changed by -60 became 41");
}

TEST(Checkers, i5_acknowledged_and_not_recorded) {
  RightHistory history;
  std::erase_if(history.evidence.image.journal,
                [](const LegImage& leg) { return leg.operation.view() == "take"; });
  history.evidence.image.operations.erase(OperationId{"take"});
  expect_caught(check_effects(history.evidence), "I5", "take was acknowledged but is not recorded");
}

TEST(Checkers, i5_refused_and_recorded) {
  RightHistory history;
  Call& call = history.call_of("take");
  call.end = CallEnd::fail;
  call.code = Code::insufficient_funds;
  expect_caught(check_effects(history.evidence), "I5", "was refused (insufficient_funds)");
}

TEST(Checkers, i5_never_asked_for) {
  RightHistory history;
  std::erase_if(history.evidence.calls,
                [](const Call& call) { return call.operation.id.view() == "take"; });
  expect_caught(check_effects(history.evidence), "I5", "take was never asked for");
}

TEST(Checkers, i5_other_than_asked_for) {
  RightHistory history;
  history.call_of("take").operation = testkit::withdraw("take", "bob", 11);
  expect_caught(check_effects(history.evidence), "I5", "not what was asked for");
}

TEST(Checkers, i5_a_receipt_that_the_journal_does_not_know) {
  RightHistory history;
  history.call_of("move").receipt->legs.front().to_balance = MinorUnits{61};
  expect_caught(check_effects(history.evidence), "I5", "does not hold the legs of its receipt");
}

TEST(Checkers, i5_half_an_operation_of_unknown_fate) {
  RightHistory history;
  Call& call = history.call_of("move");
  call.end = CallEnd::info;
  call.code = Code::unknown;
  call.receipt.reset();
  call.operation = testkit::transfer("move", {{"alice", "bob", 60}, {"bob", "carol", 1}});
  expect_caught(check_effects(history.evidence), "I5", "applied by half: 1 of 2 legs");
}

TEST(Checkers, i5_an_unknown_fate_may_be_none_or_one) {
  RightHistory history;
  Call& call = history.call_of("move");
  call.end = CallEnd::info;
  call.code = Code::unknown;
  call.receipt.reset();
  EXPECT_THAT(check_effects(history.evidence).violations, IsEmpty());
}

TEST(Checkers, i6_one_id_applied_twice) {
  RightHistory history;
  history.repeat("take").code = Code::applied;
  expect_caught(check_once(history.evidence), "I6", "take was answered `applied` 2 times");
}

TEST(Checkers, i6_one_id_twice_in_the_journal) {
  RightHistory history;
  history.evidence.image.journal.push_back(history.leg_of("take"));
  expect_caught(check_once(history.evidence), "I6", "has 2 in the journal");
}

TEST(Checkers, i6_one_intent_under_two_ids) {
  RightHistory history;
  history.call_of("move").intent = "invoice";
  history.call_of("take").intent = "invoice";
  expect_caught(check_once(history.evidence), "I6", "invoice was carried out 2 times");
}

TEST(Checkers, i7_a_repeat_with_another_answer) {
  RightHistory history;
  history.repeat("move").receipt->applied_at += std::chrono::microseconds(1);
  expect_caught(check_replays(history.evidence), "I7", "move was answered with");
}

TEST(Checkers, i8_an_older_token_after_a_newer_one) {
  RightHistory history;
  history.call_of("fund").held = testkit::fence("wallet:alice", 8, "p2");
  history.call_of("move").held = testkit::fence("wallet:alice", 7, "p1");
  expect_caught(check_fences(history.evidence), "I8", "token 7 of wallet:alice after token 8");
}

TEST(Checkers, i8_tokens_of_two_locks_are_not_compared) {
  RightHistory history;
  history.call_of("fund").held = testkit::fence("wallet:bob", 9000, "p2");
  history.call_of("move").held = testkit::fence("wallet:alice", 5, "p1");
  EXPECT_THAT(check_fences(history.evidence).violations, IsEmpty());
}

TEST(Checkers, i8_a_grant_that_is_older_than_the_one_before) {
  RightHistory history;
  const Resource resource{"wallet:alice"};
  history.evidence.grants = {{1, resource, FenceToken{5}, LockOwner{"p1"}},
                             {2, resource, FenceToken{4}, LockOwner{"p2"}}};
  expect_caught(check_fences(history.evidence), "I8", "granted with token 4 after 5");
}

TEST(Checkers, i8_two_owners_with_one_token) {
  RightHistory history;
  const Resource resource{"wallet:alice"};
  history.evidence.grants = {{1, resource, FenceToken{5}, LockOwner{"p1"}},
                             {2, resource, FenceToken{5}, LockOwner{"p2"}}};
  EXPECT_THAT(check_fences(history.evidence).violations, SizeIs(1));
  history.evidence.grants.back().owner = LockOwner{"p1"};
  EXPECT_THAT(check_fences(history.evidence).violations, IsEmpty());
}

HoldRecord hold(std::int64_t amount, std::int64_t captured) {
  HoldRecord record;
  record.id = OperationId{"hold-1"};
  record.wallet = alice;
  record.amount = MinorUnits{amount};
  record.captured = MinorUnits{captured};
  return record;
}

TEST(Checkers, i9_held_money_without_a_hold) {
  RightHistory history;
  history.evidence.image.wallets.front().held = MinorUnits{30};
  history.evidence.image.holds = {hold(20, 0)};
  expect_caught(check_holds(history.evidence), "I9", "open holds add up to 20");
}

TEST(Checkers, i9_a_hold_that_outlived_its_deadline) {
  RightHistory history;
  HoldRecord record = hold(20, 0);
  record.expires_at = testkit::at_second(10);
  history.evidence.image.taken_at = testkit::at_second(100);
  history.evidence.image.wallets.front().held = MinorUnits{20};
  history.evidence.image.holds = {record};
  expect_caught(check_holds(history.evidence), "I9", "still open long after its deadline");
}

TEST(Checkers, i9_more_captured_than_the_receipts_say) {
  RightHistory history;
  HoldRecord record = hold(20, 20);
  record.status = HoldStatus::captured;
  history.evidence.image.holds = {record};
  expect_caught(check_holds(history.evidence), "I9", "receipts say 0 captured");
}

TEST(Checkers, i10_over_before_the_other_began_and_yet_behind_it) {
  RightHistory history;
  Call& move = history.call_of("move");
  Call& take = history.call_of("take");
  std::swap(move.invoked, take.invoked);
  std::swap(move.ended, take.ended);
  expect_caught(check_real_time(history.evidence), "I10", "take was over before operation move");
}

TEST(Checkers, i10_overlapping_calls_may_commit_in_any_order) {
  RightHistory history;
  Call& move = history.call_of("move");
  Call& take = history.call_of("take");
  take.invoked = move.invoked;
  move.ended = take.ended;
  EXPECT_THAT(check_real_time(history.evidence).violations, IsEmpty());
}

TEST(Checkers, i11_acknowledged_before_the_crash_and_gone) {
  RightHistory history;
  history.evidence.acked_before_crash = {OperationId{"fund"}, OperationId{"lost"}};
  expect_caught(check_durability(history.evidence), "I11", "operation lost was acknowledged");
}

TEST(Checkers, i12_refused_although_affordable) {
  RightHistory history;
  history.refuse("fine", testkit::withdraw("fine", "alice", 40), Code::insufficient_funds, 40, 40);
  expect_caught(check_refusals(history.evidence), "I12", "affordable");
}

TEST(Checkers, i12_refused_for_a_balance_that_was_over) {
  RightHistory history;
  // Alice had 100 once; by the time of this call that was over.
  history.refuse("old", testkit::withdraw("old", "alice", 101), Code::insufficient_funds, 100, 101);
  expect_caught(check_refusals(history.evidence), "I12", "did not have then");
}

TEST(Checkers, i13_half_a_transfer) {
  RightHistory history;
  Reading reading;
  reading.sum = 40;
  reading.expected_sum = 100;
  history.evidence.readings = {reading};
  expect_caught(check_readings(history.evidence), "I13", "saw 40 in all, it is always 100");
}

TEST(Checkers, i13_a_balance_beside_another_entry) {
  RightHistory history;
  Reading reading;
  reading.lines.push_back({WalletId{"alice"}, MinorUnits{40}, MinorUnits{100}});
  history.evidence.readings = {reading};
  expect_caught(check_readings(history.evidence), "I13", "with 40 beside an entry that left 100");
}

TEST(Checkers, every_invariant_has_words) {
  for (const CheckResult& result : check_all({})) {
    EXPECT_FALSE(describe_invariant(result.invariant).empty()) << result.invariant;
  }
  EXPECT_TRUE(describe_invariant("I99").empty());
}

}  // namespace
}  // namespace mizan::prover
