#pragma once

#include "mizan/store.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mizan::prover {

/// A transaction that passes everything on; a mutant overrides the one step it gets wrong.
class ForwardingTransaction : public Transaction {
 public:
  explicit ForwardingTransaction(std::unique_ptr<Transaction> base) noexcept;

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override;
  Result<std::optional<FenceMark>> load_fence(const Resource& resource) override;
  Result<FenceAdvance> advance_fence(const Fence& fence) override;
  Result<std::vector<std::optional<WalletState>>> load_wallets(std::span<const WalletId> ids,
                                                               LoadLock lock) override;
  Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock lock) override;
  Result<std::vector<WalletNumber>> find_stale(std::span<const WalletState* const> states) override;
  Result<std::optional<HoldRecord>> load_hold(const OperationId& id) override;
  Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) override;
  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override;
  Result<WriteResult> write(Plan& plan) override;
  Result<WriteResult> record(Plan& plan) override;
  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override;
  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override;
  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override;
  Result<Wallet> load_wallet_details(const WalletState& state) override;
  Status update_metadata(WalletNumber wallet, const Metadata& metadata) override;
  Result<bool> insert_currency(const Currency& currency) override;
  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override;
  Status commit() override;

 protected:
  [[nodiscard]] Transaction& base() noexcept { return *base_; }

  /// Goes on with another transaction; the one before is rolled back.
  void replace_base(std::unique_ptr<Transaction> base) noexcept { base_ = std::move(base); }

  [[nodiscard]] std::unique_ptr<Transaction> release_base() noexcept { return std::move(base_); }

 private:
  std::unique_ptr<Transaction> base_;
};

/// A store that passes everything on. `base` must outlive it.
class ForwardingStore : public Store {
 public:
  explicit ForwardingStore(Store& base) noexcept : base_(base) {}

  [[nodiscard]] StoreDescription describe() const override { return base_.describe(); }

  Result<std::vector<std::string>> migrate() override { return base_.migrate(); }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    return base_.begin(deadline);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return base_.snapshot(); }

  Result<std::vector<Finding>> doctor() override { return base_.doctor(); }

  Result<std::uint64_t> disk_bytes() override { return base_.disk_bytes(); }

  LeaseTable& leases() override { return base_.leases(); }

  EpochTable* epochs() override { return base_.epochs(); }

  GuardTable* guards() override { return base_.guards(); }

  EventLog* events() override { return base_.events(); }

  DocumentTable* documents() override { return base_.documents(); }

  KeyTable* keys() override { return base_.keys(); }

 protected:
  [[nodiscard]] Store& base() noexcept { return base_; }

 private:
  Store& base_;
};

}  // namespace mizan::prover
