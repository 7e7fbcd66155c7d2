#include "testkit/faulty_store.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::testkit {

class FaultyStore::Script {
 public:
  void fail(std::string_view call, Fault fault, std::size_t times, std::size_t skip) {
    const std::lock_guard lock(mutex_);
    failures_[std::string(call)].push_back({fault, times, skip});
  }

  void heal() {
    const std::lock_guard lock(mutex_);
    failures_.clear();
  }

  void before_call(std::function<void(std::string_view)> hook) {
    const std::lock_guard lock(mutex_);
    hook_ = std::move(hook);
  }

  [[nodiscard]] std::size_t calls(std::string_view call) const {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(call);
    return found == calls_.end() ? 0 : found->second;
  }

  /// Counts the call; answers how it is to fail, if it is.
  [[nodiscard]] std::optional<Fault> enter(std::string_view call) {
    std::function<void(std::string_view)> hook;
    std::optional<Fault> fault;
    {
      const std::lock_guard lock(mutex_);
      ++calls_[std::string(call)];
      hook = hook_;
      fault = next_fault(call);
    }
    if (hook) hook(call);
    return fault;
  }

 private:
  struct Failure {
    Fault fault = Fault::unavailable;
    std::size_t times = 1;
    std::size_t skip = 0;
  };

  std::optional<Fault> next_fault(std::string_view call) {
    const auto found = failures_.find(call);
    if (found == failures_.end() || found->second.empty()) return std::nullopt;
    Failure& failure = found->second.front();
    if (failure.skip > 0) {
      --failure.skip;
      return std::nullopt;
    }
    const Fault fault = failure.fault;
    if (--failure.times == 0) found->second.erase(found->second.begin());
    return fault;
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Failure>, std::less<>> failures_;
  std::map<std::string, std::size_t, std::less<>> calls_;
  std::function<void(std::string_view)> hook_;
};

namespace {

Error error_of(Fault fault, std::string_view call) {
  const std::string where = "faulty store: " + std::string(call);
  switch (fault) {
    case Fault::unavailable:
      return unavailable(where, "the test says so");
    case Fault::alarm:
      return internal_error(where, "the test says so");
    case Fault::retryable:
      return {Code::contended, Certainty::not_applied, Retry::now, where, "the test says so"};
    case Fault::connection_lost:
      return {Code::unavailable, Certainty::not_applied, Retry::now, where, "the test says so"};
    case Fault::commit_applied_unreported:
    case Fault::commit_lost_unreported:
      break;
  }
  // As real stores say it: what became of the commit has to be asked first.
  return {Code::unknown, Certainty::unknown, Retry::after_backoff, where, "the test says so"};
}

using SharedScript = std::shared_ptr<FaultyStore::Script>;

class FaultySnapshot final : public Snapshot {
 public:
  FaultySnapshot(std::unique_ptr<Snapshot> inner, SharedScript script)
      : inner_(std::move(inner)), script_(std::move(script)) {}

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    if (auto fault = script_->enter("find_wallet")) return error_of(*fault, "find_wallet");
    return inner_->find_wallet(id);
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& currency) override {
    if (auto fault = script_->enter("find_world")) return error_of(*fault, "find_world");
    return inner_->find_world(currency);
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    if (auto fault = script_->enter("list_wallets")) return error_of(*fault, "list_wallets");
    return inner_->list_wallets(after, limit);
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) override {
    if (auto fault = script_->enter("snapshot.load_wallets")) {
      return error_of(*fault, "snapshot.load_wallets");
    }
    return inner_->load_wallets(ids);
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    if (auto fault = script_->enter("find_operation")) return error_of(*fault, "find_operation");
    return inner_->find_operation(id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    if (auto fault = script_->enter("find_hold")) return error_of(*fault, "find_hold");
    return inner_->find_hold(id);
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    if (auto fault = script_->enter("sum_due_holds")) return error_of(*fault, "sum_due_holds");
    return inner_->sum_due_holds(now);
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    if (auto fault = script_->enter("list_entries")) return error_of(*fault, "list_entries");
    return inner_->list_entries(query);
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    if (auto fault = script_->enter("balance_at_time")) return error_of(*fault, "balance_at_time");
    return inner_->balance_at_time(id, time);
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    if (auto fault = script_->enter("balance_at_version")) {
      return error_of(*fault, "balance_at_version");
    }
    return inner_->balance_at_version(id, version);
  }

  Result<std::vector<Currency>> list_currencies() override {
    if (auto fault = script_->enter("list_currencies")) return error_of(*fault, "list_currencies");
    return inner_->list_currencies();
  }

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    if (auto fault = script_->enter("read_journal")) return error_of(*fault, "read_journal");
    return inner_->read_journal(after, limit);
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    if (auto fault = script_->enter("read_states")) return error_of(*fault, "read_states");
    return inner_->read_states(after, limit);
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    if (auto fault = script_->enter("read_holds")) return error_of(*fault, "read_holds");
    return inner_->read_holds(after, limit);
  }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    if (auto fault = script_->enter("wallet_id")) return error_of(*fault, "wallet_id");
    return inner_->wallet_id(number);
  }

 private:
  std::unique_ptr<Snapshot> inner_;
  SharedScript script_;
};

class FaultyTransaction final : public Transaction {
 public:
  FaultyTransaction(std::unique_ptr<Transaction> inner, SharedScript script)
      : inner_(std::move(inner)), script_(std::move(script)) {}

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (auto fault = script_->enter("claim")) return error_of(*fault, "claim");
    return inner_->claim(ids);
  }

  Result<std::optional<FenceMark>> load_fence(const Resource& resource) override {
    if (auto fault = script_->enter("load_fence")) return error_of(*fault, "load_fence");
    return inner_->load_fence(resource);
  }

  Result<FenceAdvance> advance_fence(const Fence& fence) override {
    if (auto fault = script_->enter("advance_fence")) return error_of(*fault, "advance_fence");
    return inner_->advance_fence(fence);
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(std::span<const WalletId> ids,
                                                               LoadLock lock) override {
    if (auto fault = script_->enter("load_wallets")) return error_of(*fault, "load_wallets");
    return inner_->load_wallets(ids, lock);
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock lock) override {
    if (auto fault = script_->enter("load_wallets_by_number")) {
      return error_of(*fault, "load_wallets_by_number");
    }
    return inner_->load_wallets_by_number(numbers, lock);
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    if (auto fault = script_->enter("find_stale")) return error_of(*fault, "find_stale");
    return inner_->find_stale(states);
  }

  Result<std::optional<HoldRecord>> load_hold(const OperationId& id) override {
    if (auto fault = script_->enter("load_hold")) return error_of(*fault, "load_hold");
    return inner_->load_hold(id);
  }

  Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) override {
    if (auto fault = script_->enter("load_reversible")) return error_of(*fault, "load_reversible");
    return inner_->load_reversible(id);
  }

  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override {
    if (auto fault = script_->enter("load_due_holds")) return error_of(*fault, "load_due_holds");
    return inner_->load_due_holds(now, limit);
  }

  Result<WriteResult> write(Plan& plan) override {
    if (auto fault = script_->enter("write")) return error_of(*fault, "write");
    return inner_->write(plan);
  }

  Result<WriteResult> record(Plan& plan) override {
    if (auto fault = script_->enter("record")) return error_of(*fault, "record");
    return inner_->record(plan);
  }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    if (auto fault = script_->enter("apply_deltas")) return error_of(*fault, "apply_deltas");
    return inner_->apply_deltas(deltas);
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (auto fault = script_->enter("write_expiry")) return error_of(*fault, "write_expiry");
    return inner_->write_expiry(holds, wallets);
  }

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    if (auto fault = script_->enter("insert_wallet")) return error_of(*fault, "insert_wallet");
    return inner_->insert_wallet(wallet, now);
  }

  Result<Wallet> load_wallet_details(const WalletState& state) override {
    if (auto fault = script_->enter("load_wallet_details")) {
      return error_of(*fault, "load_wallet_details");
    }
    return inner_->load_wallet_details(state);
  }

  Status update_metadata(WalletNumber wallet, const Metadata& metadata) override {
    if (auto fault = script_->enter("update_metadata")) return error_of(*fault, "update_metadata");
    return inner_->update_metadata(wallet, metadata);
  }

  Result<bool> insert_currency(const Currency& currency) override {
    if (auto fault = script_->enter("insert_currency")) return error_of(*fault, "insert_currency");
    return inner_->insert_currency(currency);
  }

  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (auto fault = script_->enter("find_currency")) return error_of(*fault, "find_currency");
    return inner_->find_currency(code);
  }

  Status commit() override {
    const std::optional<Fault> fault = script_->enter("commit");
    if (!fault) return inner_->commit();
    if (*fault == Fault::commit_applied_unreported) {
      // A commit that fails for a reason of its own is reported as such.
      if (auto committed = inner_->commit(); !committed) return committed;
    }
    return error_of(*fault, "commit");
  }

 private:
  std::unique_ptr<Transaction> inner_;
  SharedScript script_;
};

}  // namespace

FaultyStore::FaultyStore(std::unique_ptr<Store> inner)
    : inner_(std::move(inner)), script_(std::make_shared<Script>()) {}

FaultyStore::~FaultyStore() = default;

void FaultyStore::fail(std::string_view call, Fault fault, std::size_t times, std::size_t skip) {
  if (times > 0) script_->fail(call, fault, times, skip);
}

void FaultyStore::heal() {
  script_->heal();
}

void FaultyStore::before_call(std::function<void(std::string_view call)> hook) {
  script_->before_call(std::move(hook));
}

std::size_t FaultyStore::calls(std::string_view call) const {
  return script_->calls(call);
}

StoreDescription FaultyStore::describe() const {
  return inner_->describe();
}

Result<std::vector<std::string>> FaultyStore::migrate() {
  if (auto fault = script_->enter("migrate")) return error_of(*fault, "migrate");
  return inner_->migrate();
}

Result<std::unique_ptr<Transaction>> FaultyStore::begin(Deadline deadline) {
  if (auto fault = script_->enter("begin")) return error_of(*fault, "begin");
  auto inner = inner_->begin(deadline);
  if (!inner) return std::move(inner).error();
  return std::unique_ptr<Transaction>(
      std::make_unique<FaultyTransaction>(std::move(inner).value(), script_));
}

Result<std::unique_ptr<Snapshot>> FaultyStore::snapshot() {
  if (auto fault = script_->enter("snapshot")) return error_of(*fault, "snapshot");
  auto inner = inner_->snapshot();
  if (!inner) return std::move(inner).error();
  return std::unique_ptr<Snapshot>(
      std::make_unique<FaultySnapshot>(std::move(inner).value(), script_));
}

Result<std::vector<Finding>> FaultyStore::doctor() {
  return inner_->doctor();
}

Result<std::uint64_t> FaultyStore::disk_bytes() {
  return inner_->disk_bytes();
}

LeaseTable& FaultyStore::leases() {
  return inner_->leases();
}

EpochTable* FaultyStore::epochs() {
  return inner_->epochs();
}

GuardTable* FaultyStore::guards() {
  return inner_->guards();
}

EventLog* FaultyStore::events() {
  return inner_->events();
}

DocumentTable* FaultyStore::documents() {
  return inner_->documents();
}

KeyTable* FaultyStore::keys() {
  return inner_->keys();
}

}  // namespace mizan::testkit
