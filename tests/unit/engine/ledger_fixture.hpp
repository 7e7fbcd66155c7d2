#pragma once

#include "mizan/ledger.hpp"
#include "mizan/memory.hpp"

#include "testkit/builders.hpp"
#include "testkit/fake_clock.hpp"
#include "testkit/faulty_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::engine {

/// A ledger over a memory store in which calls can be made to fail, with a few EUR wallets.
class LedgerTest : public ::testing::Test {
 protected:
  explicit LedgerTest(testkit::FakeSleep sleep = testkit::FakeSleep::advances, StepHook hook = {})
      : clock_(sleep),
        held_(std::make_unique<testkit::FaultyStore>(make_memory_store(clock_, std::move(hook)))) {}

  /// With a store of one's own.
  explicit LedgerTest(
      const std::function<std::unique_ptr<testkit::FaultyStore>(const Clock&)>& make)
      : clock_(testkit::FakeSleep::advances), held_(make(clock_)) {}

  [[nodiscard]] std::unique_ptr<Ledger> open(LedgerOptions options = {}) {
    return std::make_unique<Ledger>(store_, clock_, std::move(options));
  }

  static void create(Ledger& ledger, const NewWallet& wallet, std::int64_t balance = 0) {
    ASSERT_TRUE(ledger.create_wallet(wallet));
    if (balance == 0) return;
    const std::string id = "seed-" + wallet.id.str();
    expect(ledger.apply(testkit::deposit(id, wallet.id.view(), balance)), Code::applied);
  }

  /// Every call to the store takes a millisecond: deadlines come even where nobody sleeps.
  void let_calls_take_time() {
    store_.before_call([this](std::string_view) { clock_.advance(std::chrono::milliseconds(1)); });
  }

  /// The code of an answer, of an error too.
  [[nodiscard]] static Code code(const Result<Outcome>& result) {
    return result ? code_of(*result) : result.error().code;
  }

  static void expect(const Result<Outcome>& result,
                     Code expected,
                     std::source_location at = std::source_location::current()) {
    const ::testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), "answer");
    EXPECT_EQ(to_string(code(result)), to_string(expected));
  }

  [[nodiscard]] Wallet wallet(std::string_view id) {
    auto found = store_.inner().snapshot().value()->find_wallet(WalletId{id});
    return found.value().value();
  }

  [[nodiscard]] std::int64_t balance(std::string_view id) { return wallet(id).balance.value(); }

  [[nodiscard]] bool is_recorded(std::string_view id) {
    auto found = store_.inner().snapshot().value()->find_operation(OperationId{id});
    return found.value().has_value();
  }

  void expect_sound(std::source_location at = std::source_location::current()) {
    const ::testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), "verify");
    auto report = verify(store_.inner());
    ASSERT_TRUE(report);
    for (const Violation& violation : report->violations) ADD_FAILURE() << violation.detail;
  }

  testkit::FakeClock clock_;

 private:
  std::unique_ptr<testkit::FaultyStore> held_;

 protected:
  testkit::FaultyStore& store_ = *held_;
};

}  // namespace mizan::engine
