#include "tests/conformance/store_ledger_fixture.hpp"

#include <filesystem>
#include <utility>

namespace mizan::conformance {

Code code_of(const Result<Outcome>& result) {
  return result ? mizan::code_of(*result) : result.error().code;
}

Receipt receipt_in(const Result<Outcome>& result, const std::source_location& where) {
  if (!result) stop_test(describe(result.error()), where);
  const Receipt* receipt = receipt_of(*result);
  if (receipt == nullptr) stop_test(std::string(to_string(code_of(result))), where);
  return *receipt;
}

Refusal refusal_in(const Result<Outcome>& result, const std::source_location& where) {
  if (!result) stop_test(describe(result.error()), where);
  const auto* refused = std::get_if<Refused>(&*result);
  if (refused == nullptr) stop_test(std::string(to_string(code_of(result))), where);
  return *refused->refusal;
}

std::string text_of(const Receipt& receipt) {
  RecordedOperation recorded;
  recorded.receipt = receipt;
  return text_of(recorded);
}

void LedgerConformance::SetUp() {
  if (is_there(GetParam().store.needs)) open_empty();
}

void LedgerConformance::open_empty() {
  ledger_.reset();
  store_.reset();
  StorePlace place;
  place.directory = directory_.path() / std::to_string(++stores_opened_);
  place.clock = &system_clock();
  std::filesystem::create_directory(place.directory);
  store_ = std::make_unique<FaultyStore>(must(GetParam().store.open(place)));
  static_cast<void>(must(store_->migrate()));
  restart();
}

void LedgerConformance::TearDown() {
  ledger_.reset();
  expect_every_promise_kept();
}

void LedgerConformance::expect_every_promise_kept() {
  if (!store_) return;
  store_->heal();
  store_->before_call({});
  const VerifyReport report = must(verify(*store_));
  for (const Violation& violation : report.violations) {
    ADD_FAILURE() << violation.invariant << ' ' << violation.wallet << ": " << violation.detail;
  }
}

void LedgerConformance::restart(LedgerOptions options) {
  ledger_.reset();
  options.strategy = GetParam().strategy;
  ledger_ = std::make_unique<Ledger>(*store_, system_clock(), std::move(options));
}

void LedgerConformance::create(std::initializer_list<NewWallet> wallets) {
  for (const NewWallet& wallet : wallets) static_cast<void>(must(ledger_->create_wallet(wallet)));
}

void LedgerConformance::create_with(std::string_view id, std::int64_t amount) {
  create({wallet(id)});
  if (amount == 0) return;
  static_cast<void>(receipt_in(apply(deposit("fund-" + std::string(id), id, amount))));
}

Result<Outcome> LedgerConformance::apply(const Operation& operation, CallOptions options) {
  return ledger_->apply(operation, options);
}

Code LedgerConformance::answer(const Operation& operation, CallOptions options) {
  return code_of(apply(operation, options));
}

std::vector<Result<Outcome>> LedgerConformance::batch(std::initializer_list<Operation> operations,
                                                      Atomicity atomicity,
                                                      CallOptions options) {
  return ledger_->apply_batch(std::vector<Operation>(operations), atomicity, options);
}

Wallet LedgerConformance::wallet_now(std::string_view id) {
  return must_have(must(store_->inner().snapshot())->find_wallet(WalletId(id)));
}

void LedgerConformance::patch(std::string_view id, WalletStatus status) {
  WalletPatch change;
  change.status = status;
  const auto answer = must(ledger_->patch_wallet(WalletId(id), change));
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    stop_test(refusal->detail, std::source_location::current());
  }
}

std::string ledger_name_of(const ::testing::TestParamInfo<LedgerCandidate>& info) {
  return info.param.store.name + "_" + std::string(to_string(info.param.strategy));
}

}  // namespace mizan::conformance
