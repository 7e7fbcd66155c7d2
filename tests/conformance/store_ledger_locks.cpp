// The ledger with a lock service: its own locks have names of their own.

#include "mizan/store_lock.hpp"

#include "testkit/builders.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace mizan::conformance {
namespace {

using testkit::capture;
using testkit::deposit;
using testkit::hold;
using testkit::reverse;
using testkit::transfer;
using testkit::withdraw;

LedgerOptions with(LockService& lock) {
  LedgerOptions options;
  options.lock = &lock;
  return options;
}

TEST_P(LedgerConformance, no_fence_of_a_user_stops_a_wallet_a_hold_or_an_operation) {
  const auto lock = make_store_lock(store(), system_clock());
  restart(with(*lock));
  create_with("alice", 100);
  create_with("bob", 0);
  ASSERT_EQ(answer(hold("hold", "alice", 10)), Code::applied);
  ASSERT_EQ(answer(transfer("paid", "alice", "bob", 10)), Code::applied);
  // The greatest token there is, for what the ledger's own locks could be taken to be called.
  int number = 0;
  for (const char* name : {"wallet/alice", "wallet/bob", "hold/hold", "operation/paid"}) {
    const std::string id = "fenced-" + std::to_string(++number);
    EXPECT_EQ(answer(deposit(id, "alice", 1).fence(name, INT64_MAX)), Code::applied) << name;
  }
  EXPECT_EQ(answer(withdraw("next-1", "alice", 1)), Code::applied);
  EXPECT_EQ(answer(deposit("next-2", "bob", 1)), Code::applied);
  EXPECT_EQ(answer(capture("next-3", "hold", 5)), Code::applied);
  EXPECT_EQ(answer(reverse("next-4", "paid")), Code::applied);
  restart();
}

TEST_P(LedgerConformance, names_of_the_ledgers_own_locks_are_refused_and_leave_no_trace) {
  const auto lock = make_store_lock(store(), system_clock());
  restart(with(*lock));
  create_with("alice", 100);
  create_with("bob", 0);
  const std::string before = everything();
  const Operation greedy = deposit("op", "alice", 1).fence("mizan:wallet/alice", INT64_MAX);
  const auto refused = apply(greedy);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid_request);
  EXPECT_EQ(refused.error().where, "/fence/resource");
  CallOptions dry;
  dry.dry_run = true;
  EXPECT_EQ(answer(greedy, dry), Code::invalid_request);
  for (const auto& result : batch({greedy}, Atomicity::all_or_none)) {
    EXPECT_EQ(code_of(result), Code::invalid_request);
  }
  for (const auto& result : batch({greedy, greedy})) {
    EXPECT_EQ(code_of(result), Code::invalid_request);
  }
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(answer(transfer("op", "alice", "bob", 1)), Code::applied);
  restart();
}

TEST_P(LedgerConformance, whoever_holds_a_lock_of_a_wallets_name_does_not_wait_for_himself) {
  const auto lock = make_store_lock(store(), system_clock());
  restart(with(*lock));
  create_with("alice", 100);
  AcquireRequest request;
  request.resource = Resource{"wallet/alice"};
  auto held = lock->acquire(std::move(request));
  ASSERT_TRUE(held && std::holds_alternative<Lease>(*held));
  const Fence fence = std::get<Lease>(*held).fence();
  Operation operation = withdraw("op-1", "alice", 1);
  operation.fences.push_back(fence);
  EXPECT_EQ(answer(operation), Code::applied);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1)), Code::applied);
  // Both fences count: an older holder of the user's own lock is kept out.
  std::get<Lease>(*held).release();
  EXPECT_EQ(answer(withdraw("op-3", "alice", 1).fence("wallet/alice", fence.token.value() + 1)),
            Code::applied);
  operation.id = OperationId{"op-4"};
  EXPECT_EQ(answer(operation), Code::stale_fence);
  restart();
}

}  // namespace
}  // namespace mizan::conformance
