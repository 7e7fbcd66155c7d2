#include "engine/locked.hpp"

#include "mizan/memory.hpp"
#include "mizan/store_lock.hpp"

#include "testkit/builders.hpp"
#include "testkit/faulty_lease_table.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::capture;
using testkit::deposit;
using testkit::hold;
using testkit::reverse;
using testkit::transfer;
using testkit::void_hold;
using testkit::withdraw;

std::vector<std::string> names(const Operation& operation, LockScope scope) {
  std::vector<std::string> texts;
  for (const Resource& resource : resources_of(operation, scope)) texts.push_back(resource.str());
  return texts;
}

using Names = std::vector<std::string>;

TEST(ResourcesOf, are_what_is_debited_or_both_sides_in_one_order) {
  const Operation operation =
      transfer("op", {{"zoe", "bob", 1}, {"amy", "bob", 1}, {"zoe", "c", 1}});
  EXPECT_EQ(names(operation, LockScope::source), (Names{"mizan:wallet/amy", "mizan:wallet/zoe"}));
  EXPECT_EQ(names(operation, LockScope::both),
            (Names{"mizan:wallet/amy", "mizan:wallet/bob", "mizan:wallet/c", "mizan:wallet/zoe"}));
  EXPECT_EQ(names(transfer("op", "a", "b", 1), LockScope::both),
            names(transfer("op", "b", "a", 1), LockScope::both));
}

TEST(ResourcesOf, name_wallets_holds_and_operations_apart) {
  EXPECT_EQ(names(deposit("op", "x", 1), LockScope::source), Names{"mizan:wallet/x"});
  EXPECT_EQ(names(withdraw("op", "x", 1), LockScope::source), Names{"mizan:wallet/x"});
  EXPECT_EQ(names(hold("op", "x", 1), LockScope::source), Names{"mizan:wallet/x"});
  EXPECT_EQ(names(capture("op", "x"), LockScope::source), Names{"mizan:hold/x"});
  EXPECT_EQ(names(void_hold("op", "x"), LockScope::source), Names{"mizan:hold/x"});
  EXPECT_EQ(names(reverse("op", "x"), LockScope::source), Names{"mizan:operation/x"});
}

TEST(ResourcesOf, are_at_most_as_many_as_an_operation_may_carry_tokens) {
  Operation operation = transfer("op", "a", "b", 1);
  auto& legs = std::get<Transfer>(operation.body).legs;
  for (int i = 0; i < 40; ++i) {
    legs.push_back({WalletId{"w" + std::to_string(i)}, WalletId{"b"}, MinorUnits{1}, {}});
  }
  EXPECT_EQ(names(operation, LockScope::both).size(), fences_max);
}

/// Leases are renewed on a thread of their own, so these tests run on the machine's clock.
class LockedLedger : public ::testing::Test {
 protected:
  void SetUp() override {
    LedgerOptions options;
    options.lock = lock_.get();
    ledger_ = std::make_unique<Ledger>(*store_, system_clock(), options);
    ASSERT_TRUE(ledger_->create_wallet(testkit::wallet("alice")));
    expect(deposit("seed", "alice", 100), Code::applied);
  }

  void expect(const Operation& operation, Code expected, const CallOptions& options = {}) {
    const auto result = ledger_->apply(operation, options);
    const Code actual = result ? code_of(*result) : result.error().code;
    EXPECT_EQ(to_string(actual), to_string(expected)) << operation.id.str();
  }

  /// The field that the refusal for its stale fence names.
  std::string blamed(const Operation& operation) {
    const auto result = ledger_->apply(operation, {});
    EXPECT_TRUE(result);
    const auto* refused = result ? std::get_if<Refused>(&*result) : nullptr;
    EXPECT_NE(refused, nullptr);
    if (refused == nullptr) return "no refusal";
    EXPECT_EQ(to_string(refused->refusal->code), "stale_fence");
    return refused->refusal->pointer;
  }

  std::optional<FenceMark> mark_of(std::string_view resource) {
    auto transaction = store_->begin(system_clock().now() + std::chrono::seconds(5));
    EXPECT_TRUE(transaction);
    if (!transaction) return std::nullopt;
    auto mark = (*transaction)->load_fence(Resource{resource});
    EXPECT_TRUE(mark);
    return mark ? *mark : std::nullopt;
  }

  /// The same ledger under a lock service whose answers say whether they grant no longer.
  std::unique_ptr<Ledger> ledger_in_doubt(LockOutage outage) {
    doubtful_.inject_always(testkit::LeaseCall::acquire, testkit::LeaseFault::doubt);
    LedgerOptions options;
    options.lock = doubtful_lock_.get();
    options.lock_outage = outage;
    return std::make_unique<Ledger>(*store_, system_clock(), options);
  }

  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  std::unique_ptr<LockService> lock_ = make_store_lock(*store_, system_clock());
  std::unique_ptr<Ledger> ledger_;
  testkit::FaultyLeaseTable doubtful_{store_->leases()};
  std::unique_ptr<LockService> doubtful_lock_ =
      make_lock_service("doubtful", doubtful_, system_clock());
};

TEST_F(LockedLedger, remembers_the_token_of_the_lock_that_it_took) {
  expect(withdraw("w-1", "alice", 1), Code::applied);
  const auto first = mark_of("mizan:wallet/alice");
  ASSERT_TRUE(first);
  expect(withdraw("w-1", "alice", 1), Code::already_applied);
  EXPECT_EQ(mark_of("mizan:wallet/alice")->token, first->token);
  expect(withdraw("w-2", "alice", 1), Code::applied);
  EXPECT_GT(mark_of("mizan:wallet/alice")->token, first->token);
}

TEST_F(LockedLedger, blames_a_stale_fence_by_its_place_in_the_request) {
  Operation first = withdraw("w-1", "alice", 1);
  first.fences = {{Resource{"door"}, FenceToken{5}, {}}};
  expect(first, Code::applied);
  Operation late = withdraw("w-2", "alice", 1);
  late.fences = first.fences;
  EXPECT_EQ(blamed(late), "/fence/token");
  late.fences.insert(late.fences.begin(), {Resource{"gate"}, FenceToken{1}, {}});
  EXPECT_EQ(blamed(late), "/fence/1/token");
}

TEST_F(LockedLedger, blames_no_field_for_a_stale_token_of_its_own) {
  auto transaction = store_->begin(system_clock().now() + std::chrono::seconds(5));
  ASSERT_TRUE(transaction);
  const Fence newer{
      Resource{"mizan:wallet/alice"}, FenceToken{std::numeric_limits<std::int64_t>::max()}, {}};
  ASSERT_TRUE((*transaction)->advance_fence(newer));
  ASSERT_TRUE((*transaction)->commit());
  Operation operation = withdraw("w-1", "alice", 1);
  operation.fences = {{Resource{"door"}, FenceToken{5}, {}}};
  EXPECT_EQ(blamed(operation), "");
}

TEST_F(LockedLedger, is_busy_while_somebody_else_holds_the_lock_but_knows_repeats) {
  expect(withdraw("w-1", "alice", 1), Code::applied);
  AcquireRequest request;
  request.resource = Resource{"mizan:wallet/alice"};
  auto theirs = lock_->acquire(std::move(request));
  ASSERT_TRUE(theirs && std::holds_alternative<Lease>(*theirs));
  CallOptions hasty;
  hasty.deadline = system_clock().now() + std::chrono::milliseconds(50);
  expect(withdraw("w-2", "alice", 1), Code::lock_busy, hasty);
  expect(withdraw("w-1", "alice", 1), Code::already_applied);
  expect(withdraw("w-1", "alice", 2), Code::operation_mismatch);
  std::get<Lease>(*theirs).release();
  expect(withdraw("w-2", "alice", 1), Code::applied);
}

TEST_F(LockedLedger, applied_nothing_while_it_is_not_known_whether_it_has_the_lock) {
  const auto ledger = ledger_in_doubt(LockOutage::fail);
  CallOptions hasty;
  hasty.deadline = system_clock().now() + std::chrono::milliseconds(300);
  const auto result = ledger->apply(withdraw("w-1", "alice", 1), hasty);
  ASSERT_FALSE(result);
  EXPECT_EQ(to_string(result.error().code), to_string(Code::unavailable));
  EXPECT_EQ(result.error().certainty, Certainty::not_applied);
  expect(withdraw("w-1", "alice", 2), Code::applied);  // The id is free: another content fits.
}

TEST_F(LockedLedger, goes_on_without_a_lock_in_doubt_where_that_is_the_policy) {
  const auto before = mark_of("mizan:wallet/alice");
  ASSERT_TRUE(before);
  const auto ledger = ledger_in_doubt(LockOutage::proceed);
  const auto result = ledger->apply(withdraw("w-1", "alice", 1));
  ASSERT_TRUE(result) << result.error().detail;
  EXPECT_EQ(to_string(code_of(*result)), to_string(Code::applied));
  EXPECT_EQ(mark_of("mizan:wallet/alice")->token, before->token) << "without a lock, no token";
}

}  // namespace
}  // namespace mizan::engine
