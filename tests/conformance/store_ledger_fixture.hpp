#pragma once

#include "mizan/ledger.hpp"

#include "testkit/faulty_store.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::conformance {

/// A store and a strategy: every pair must give the same answers.
struct LedgerCandidate {
  StoreCandidate store;
  Strategy strategy = Strategy::batched;
};

inline void PrintTo(const LedgerCandidate& candidate, std::ostream* out) {
  *out << candidate.store.name << " with " << to_string(candidate.strategy);
}

[[nodiscard]] Code code_of(const Result<Outcome>& result);

/// The receipt of an applied or repeated operation; the test stops at anything else.
[[nodiscard]] Receipt receipt_in(
    const Result<Outcome>& result,
    const std::source_location& where = std::source_location::current());

/// The facts of a refusal; the test stops at anything else.
[[nodiscard]] Refusal refusal_in(
    const Result<Outcome>& result,
    const std::source_location& where = std::source_location::current());

/// A receipt as text, without the outcome; equal texts are equal to the letter.
[[nodiscard]] std::string text_of(const Receipt& receipt);

/// One ledger over an empty store per test. Whatever a test did, the ledger must keep every
/// promise of conservation at its end.
class LedgerConformance : public ::testing::TestWithParam<LedgerCandidate> {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] Ledger& ledger() { return *ledger_; }

  /// The store under the ledger; it can be told to fail.
  [[nodiscard]] FaultyStore& store() { return *store_; }

  /// Begins again with an empty store.
  void open_empty();

  /// Recomputes every promise of conservation from the entries.
  void expect_every_promise_kept();

  /// A ledger with other options over the same store; the strategy stays.
  void restart(LedgerOptions options = {});

  void create(std::initializer_list<NewWallet> wallets);

  /// In EUR with min_balance 0, holding `amount`.
  void create_with(std::string_view wallet, std::int64_t amount);

  Result<Outcome> apply(const Operation& operation, CallOptions options = {});

  /// The answer's code, also where it is an error.
  Code answer(const Operation& operation, CallOptions options = {});

  std::vector<Result<Outcome>> batch(std::initializer_list<Operation> operations,
                                     Atomicity atomicity = Atomicity::independent,
                                     CallOptions options = {});

  [[nodiscard]] Wallet wallet_now(std::string_view id);

  [[nodiscard]] std::int64_t balance(std::string_view id) { return wallet_now(id).balance.value(); }

  [[nodiscard]] std::int64_t held(std::string_view id) { return wallet_now(id).held.value(); }

  void patch(std::string_view id, WalletStatus status);

  /// Everything that a reader can see, as text.
  [[nodiscard]] std::string everything() { return everything_in(store_->inner()); }

 private:
  TempDir directory_{"mizan-ledger"};
  int stores_opened_ = 0;
  std::unique_ptr<FaultyStore> store_;
  std::unique_ptr<Ledger> ledger_;
};

[[nodiscard]] std::string ledger_name_of(const ::testing::TestParamInfo<LedgerCandidate>& info);

/// What a candidate's file registers beside the store itself.
[[nodiscard]] inline auto with_every_strategy(const StoreCandidate& store) {
  return ::testing::Values(LedgerCandidate{store, Strategy::batched},
                           LedgerCandidate{store, Strategy::atomic},
                           LedgerCandidate{store, Strategy::optimistic},
                           LedgerCandidate{store, Strategy::pessimistic});
}

}  // namespace mizan::conformance
