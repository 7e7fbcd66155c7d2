#include "prover/mutants/forward.hpp"

#include <utility>

namespace mizan::prover {

ForwardingTransaction::ForwardingTransaction(std::unique_ptr<Transaction> base) noexcept
    : base_(std::move(base)) {}

Result<std::vector<KnownOperation>> ForwardingTransaction::claim(
    std::span<const OperationId* const> ids) {
  return base_->claim(ids);
}

Result<std::optional<FenceMark>> ForwardingTransaction::load_fence(const Resource& resource) {
  return base_->load_fence(resource);
}

Result<FenceAdvance> ForwardingTransaction::advance_fence(const Fence& fence) {
  return base_->advance_fence(fence);
}

Result<std::vector<std::optional<WalletState>>> ForwardingTransaction::load_wallets(
    std::span<const WalletId> ids, LoadLock lock) {
  return base_->load_wallets(ids, lock);
}

Result<std::vector<std::optional<WalletState>>> ForwardingTransaction::load_wallets_by_number(
    std::span<const WalletNumber> numbers, LoadLock lock) {
  return base_->load_wallets_by_number(numbers, lock);
}

Result<std::vector<WalletNumber>> ForwardingTransaction::find_stale(
    std::span<const WalletState* const> states) {
  return base_->find_stale(states);
}

Result<std::optional<HoldRecord>> ForwardingTransaction::load_hold(const OperationId& id) {
  return base_->load_hold(id);
}

Result<std::optional<ReversibleOperation>> ForwardingTransaction::load_reversible(
    const OperationId& id) {
  return base_->load_reversible(id);
}

Result<std::vector<HoldRecord>> ForwardingTransaction::load_due_holds(Timestamp now,
                                                                      std::size_t limit) {
  return base_->load_due_holds(now, limit);
}

Result<WriteResult> ForwardingTransaction::write(Plan& plan) {
  return base_->write(plan);
}

Result<WriteResult> ForwardingTransaction::record(Plan& plan) {
  return base_->record(plan);
}

Result<DeltaResult> ForwardingTransaction::apply_deltas(std::span<const GuardedDelta> deltas) {
  return base_->apply_deltas(deltas);
}

Result<WriteResult> ForwardingTransaction::write_expiry(std::span<const HoldChange> holds,
                                                        std::span<WalletChange> wallets) {
  return base_->write_expiry(holds, wallets);
}

Result<bool> ForwardingTransaction::insert_wallet(const NewWallet& wallet, Timestamp now) {
  return base_->insert_wallet(wallet, now);
}

Result<Wallet> ForwardingTransaction::load_wallet_details(const WalletState& state) {
  return base_->load_wallet_details(state);
}

Status ForwardingTransaction::update_metadata(WalletNumber wallet, const Metadata& metadata) {
  return base_->update_metadata(wallet, metadata);
}

Result<bool> ForwardingTransaction::insert_currency(const Currency& currency) {
  return base_->insert_currency(currency);
}

Result<std::optional<Currency>> ForwardingTransaction::find_currency(const CurrencyCode& code) {
  return base_->find_currency(code);
}

Status ForwardingTransaction::commit() {
  return base_->commit();
}

}  // namespace mizan::prover
