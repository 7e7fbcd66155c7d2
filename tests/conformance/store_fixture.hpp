#pragma once

#include "mizan/clock.hpp"
#include "mizan/store.hpp"

#include "testkit/builders.hpp"
#include "testkit/plan_builder.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/store_candidate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::conformance {

using namespace testkit;  // NOLINT(google-build-using-namespace): the tests' own words.

/// Ends a test where going on makes no sense; GoogleTest reports it as a failure.
class TestStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string describe(const Error& error);

[[noreturn]] void stop_test(const std::string& why, const std::source_location& where);

/// The value, or the end of the test.
template <class T>
T must(Result<T> result, const std::source_location& where = std::source_location::current()) {
  if (!result) stop_test(describe(result.error()), where);
  return std::move(result).value();
}

inline void must(const Status& status,
                 const std::source_location& where = std::source_location::current()) {
  if (!status) stop_test(describe(status.error()), where);
}

template <class T>
T must_have(Result<std::optional<T>> result,
            const std::source_location& where = std::source_location::current()) {
  std::optional<T> value = must(std::move(result), where);
  if (!value) stop_test("nothing is there", where);
  return std::move(*value);
}

/// `seconds` from now on the machine's clock: generous, so that no verdict depends on speed.
[[nodiscard]] Deadline soon(std::int64_t seconds = 30);

/// Everything a reader can see of a store, as text, one fact per line, in a fixed order. Two
/// stores that say the same have the same ledger; a transaction that left no trace leaves it as it
/// was.
[[nodiscard]] std::string everything_in(Store& store);

[[nodiscard]] std::string text_of(const RecordedOperation& operation);
[[nodiscard]] std::string text_of(const Entry& entry);
[[nodiscard]] std::string text_of(const Wallet& wallet);
[[nodiscard]] std::string text_of(const Hold& hold);
[[nodiscard]] std::string text_of(const JournalLeg& leg);

/// One empty, migrated store per test, with the words that the chapters share.
class StoreConformance : public ::testing::TestWithParam<StoreCandidate> {
 protected:
  void SetUp() override;

  [[nodiscard]] Store& store() { return *store_; }

  /// Where the test's store is.
  [[nodiscard]] StorePlace place() const;

  /// Closes the store and opens it again. Persistent candidates only.
  void reopen();

  void close() { store_.reset(); }

  /// Closes the store and opens an empty one in a new place.
  void open_empty();

  [[nodiscard]] std::unique_ptr<Transaction> begin() { return must(store_->begin(soon())); }

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() { return must(store_->snapshot()); }

  void create(std::initializer_list<NewWallet> wallets);

  /// In one transaction each: created in EUR with min_balance 0, holding `amount`.
  void create_with(std::string_view wallet, std::int64_t amount);

  /// One committed transaction with one operation.
  void deposit(std::string_view id, std::string_view wallet, std::int64_t amount);
  void transfer(std::string_view id,
                std::string_view from,
                std::string_view to,
                std::int64_t amount);

  /// Loads, builds, writes and commits; must succeed. `fill` gets a builder for the wallets.
  template <class Fill>
  void apply(std::initializer_list<std::string_view> wallets,
             Fill fill,
             const std::source_location& where = std::source_location::current()) {
    auto transaction = must(store_->begin(soon()), where);
    PlanBuilder builder(load(*transaction, wallets));
    fill(builder);
    Plan plan = builder.build();
    const WriteResult written = must(transaction->write(plan), where);
    if (!std::holds_alternative<WritesDone>(written)) stop_test("the write was refused", where);
    must(transaction->commit(), where);
  }

  [[nodiscard]] Wallet wallet_now(std::string_view id);

  [[nodiscard]] std::int64_t balance(std::string_view id) { return wallet_now(id).balance.value(); }

  /// States in a transaction, all of which must exist.
  static std::vector<WalletState> load(Transaction& transaction,
                                       std::initializer_list<std::string_view> ids,
                                       LoadLock lock = LoadLock::update);

  static RecordedOperation recorded(Snapshot& snapshot, std::string_view id);
  static std::optional<RecordedOperation> claim(Transaction& transaction, std::string_view id);

  /// The store must be as it was when the object was made. Does not outlive a `reopen`.
  class NoTrace {
   public:
    explicit NoTrace(Store& store) : store_(store), before_(everything_in(store)) {}

    void check(const std::source_location& where = std::source_location::current()) const;

   private:
    Store& store_;
    std::string before_;
  };

 private:
  TempDir directory_{"mizan-conformance"};
  int stores_opened_ = 0;
  std::unique_ptr<Store> store_;
};

/// GoogleTest's name of a candidate.
[[nodiscard]] std::string name_of(const ::testing::TestParamInfo<StoreCandidate>& info);

/// All candidates that are linked in, by name, for the children of the crash chapter.
void register_candidate(const StoreCandidate& candidate);
[[nodiscard]] const StoreCandidate* find_candidate(std::string_view name);

/// What a candidate's file registers: the values for INSTANTIATE_TEST_SUITE_P.
[[nodiscard]] inline auto store_candidate(const StoreCandidate& candidate) {
  register_candidate(candidate);
  return ::testing::Values(candidate);
}

}  // namespace mizan::conformance
