#include "prover/watched_store.hpp"

#include <string>
#include <utility>

namespace mizan::prover {

namespace {

bool says_one_of(const std::string& detail, std::initializer_list<std::string_view> codes) {
  for (const std::string_view code : codes) {
    if (detail.find(code) != std::string::npos) return true;
  }
  return false;
}

void note(Met& met, const Error& error) {
  // The stores end each message with the server's own code.
  if (says_one_of(error.detail, {"(SQLSTATE 40P01)", "(error 1213)", "overtook the transaction"}))
    ++met.deadlocks;
  if (says_one_of(error.detail,
                  {"(SQLSTATE 55P03)", "(SQLSTATE 57014)", "(error 1205)", "(error 1969)"})) {
    ++met.lock_timeouts;
  }
}

class WatchedTransaction final : public ForwardingTransaction {
 public:
  WatchedTransaction(std::unique_ptr<Transaction> base, const PointHook& hook, Met& met)
      : ForwardingTransaction(std::move(base)), hook_(hook), met_(met) {}

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (!ids.empty()) operation_ = *ids.front();
    auto known = noted(ForwardingTransaction::claim(ids));
    if (known) say(Point::begun);
    return known;
  }

  Result<FenceAdvance> advance_fence(const Fence& fence) override {
    return noted(ForwardingTransaction::advance_fence(fence));
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(std::span<const WalletId> ids,
                                                               LoadLock lock) override {
    if (lock == LoadLock::none) return ForwardingTransaction::load_wallets(ids, lock);
    about_to_lock();
    auto loaded = noted(ForwardingTransaction::load_wallets(ids, lock));
    if (loaded) say(Point::has_rows);
    return loaded;
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock lock) override {
    if (lock == LoadLock::none) {
      return ForwardingTransaction::load_wallets_by_number(numbers, lock);
    }
    about_to_lock();
    auto loaded = noted(ForwardingTransaction::load_wallets_by_number(numbers, lock));
    if (loaded) say(Point::has_rows);
    return loaded;
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    auto stale = noted(ForwardingTransaction::find_stale(states));
    if (stale) say(Point::checked);
    return stale;
  }

  Result<WriteResult> write(Plan& plan) override {
    about_to_lock();
    auto written = noted(ForwardingTransaction::write(plan));
    if (written) say(Point::wrote);
    return written;
  }

  Result<WriteResult> record(Plan& plan) override {
    auto written = noted(ForwardingTransaction::record(plan));
    if (written) say(Point::wrote);
    return written;
  }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    about_to_lock();
    return noted(ForwardingTransaction::apply_deltas(deltas));
  }

  Status commit() override { return noted(ForwardingTransaction::commit()); }

 private:
  void say(Point point) {
    if (hook_ && !operation_.empty()) hook_(point, operation_);
  }

  void about_to_lock() {
    if (!std::exchange(locked_, true)) say(Point::locks_rows);
  }

  template <class Answer>
  Answer noted(Answer answer) {
    if (!answer) note(met_, answer.error());
    return answer;
  }

  const PointHook& hook_;
  Met& met_;
  OperationId operation_;
  bool locked_ = false;
};

}  // namespace

WatchedStore::WatchedStore(Store& base, PointHook hook)
    : ForwardingStore(base), hook_(std::move(hook)) {}

Result<std::unique_ptr<Transaction>> WatchedStore::begin(Deadline deadline) {
  auto transaction = base().begin(deadline);
  if (!transaction) return transaction;
  return Result<std::unique_ptr<Transaction>>(
      std::make_unique<WatchedTransaction>(std::move(*transaction), hook_, met_));
}

}  // namespace mizan::prover
