#include "store/sql/rows.hpp"

#include "base/text.hpp"

namespace mizan::sql {
namespace {

template <class Enum>
bool is_between(std::int64_t stored, Enum first, Enum last) noexcept {
  return stored >= static_cast<std::int64_t>(first) && stored <= static_cast<std::int64_t>(last);
}

template <class AnyWallet>
Status check_wallet(const AnyWallet& wallet) {
  if (wallet.currency.exponent > exponent_max) {
    return damaged_row(wallet_row(wallet.id), "its exponent");
  }
  if (wallet.held.value() < 0 || !subtract(wallet.balance, wallet.held)) {
    return damaged_row(wallet_row(wallet.id), "its balance and what is held of it");
  }
  return {};
}

}  // namespace

Error damaged_row(std::string_view row, std::string_view what) {
  return internal_error("store: read",
                        "damaged row: " + std::string(row) + ": " + std::string(what) +
                            "; stop, keep a copy, restore from a backup");
}

std::string journal_row(Sequence sequence) {
  return "journal sequence " + std::to_string(sequence.value());
}

std::string wallet_row(const WalletId& id) {
  return "wallet " + escape_for_log(id.view());
}

std::string hold_row(const OperationId& id) {
  return "hold " + escape_for_log(id.view());
}

Result<OperationType> type_of(std::int64_t stored, Sequence sequence) {
  if (is_between(stored, OperationType::transfer, OperationType::reverse)) {
    return static_cast<OperationType>(stored);
  }
  return damaged_row(journal_row(sequence), "no operation has the type " + std::to_string(stored));
}

Result<WalletStatus> wallet_status_of(std::int64_t stored, const WalletId& id) {
  if (is_between(stored, WalletStatus::active, WalletStatus::closed)) {
    return static_cast<WalletStatus>(stored);
  }
  return damaged_row(wallet_row(id), "no wallet has the status " + std::to_string(stored));
}

Result<HoldStatus> hold_status_of(std::int64_t stored, std::string_view row) {
  if (is_between(stored, HoldStatus::open, HoldStatus::expired)) {
    return static_cast<HoldStatus>(stored);
  }
  return damaged_row(row, "no hold has the status " + std::to_string(stored));
}

Result<Metadata> metadata_of(std::string_view stored, std::string_view row) {
  auto metadata = decode_metadata(stored);
  // Nobody's request is at fault, whatever the decoder calls it.
  if (!metadata) return damaged_row(row, metadata.error().detail);
  return metadata;
}

Status check_numbers(const WalletState& state) {
  return check_wallet(state);
}

Status check_numbers(const Wallet& wallet) {
  return check_wallet(wallet);
}

Status check_numbers(const HoldRecord& hold) {
  if (hold.captured.value() >= 0 && hold.captured <= hold.amount) return {};
  return damaged_row(hold_row(hold.id), "its amount and what is captured of it");
}

const OperationId* hold_of(const OperationStart& start) noexcept {
  const Receipt& receipt = start.recorded.receipt;
  if (receipt.type == OperationType::hold) return &receipt.id;
  const bool is_about_hold =
      receipt.type == OperationType::capture || receipt.type == OperationType::void_hold;
  return is_about_hold && start.subject ? &*start.subject : nullptr;
}

std::optional<ReversibleOperation> to_reversible(std::optional<RecordedOperation> recorded) {
  if (!recorded || recorded->refusal) return std::nullopt;
  ReversibleOperation reversible;
  reversible.type = recorded->receipt.type;
  reversible.legs = std::move(recorded->receipt.legs);
  reversible.reversed = recorded->receipt.reversed_by != nullptr;
  return reversible;
}

}  // namespace mizan::sql
