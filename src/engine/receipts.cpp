#include "engine/receipts.hpp"

#include "base/assert.hpp"
#include "base/match.hpp"
#include "domain/fingerprint.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::engine {
namespace {

LegReceipt leg_receipt(const domain::DecidedLeg& leg) {
  const WalletState* known = leg.from != nullptr ? leg.from : leg.to;
  MIZAN_ASSERT(known != nullptr);
  LegReceipt receipt;
  receipt.amount = leg.amount;
  receipt.currency = known->currency.code;
  if (leg.from != nullptr) {
    receipt.from = leg.from->id;
    receipt.from_balance = leg.from_balance;
    receipt.from_version = leg.from_version;
  } else {
    receipt.from = world_wallet(receipt.currency);
  }
  if (leg.to != nullptr) {
    receipt.to = leg.to->id;
    receipt.to_balance = leg.to_balance;
    receipt.to_version = leg.to_version;
  } else {
    receipt.to = world_wallet(receipt.currency);
  }
  return receipt;
}

std::shared_ptr<const Hold> hold_view(const HoldRecord& record,
                                      const WalletState& wallet,
                                      WalletCache& wallets) {
  Hold hold;
  hold.id = record.id;
  hold.wallet = wallet.id;
  hold.currency = wallet.currency.code;
  if (record.to == world_number) {
    hold.to = world_wallet(hold.currency);
  } else {
    const CachedWallet* to = wallets.find(record.to);
    MIZAN_ASSERT(to != nullptr);
    hold.to = to->id;
  }
  hold.amount = record.amount;
  hold.captured = record.captured;
  hold.status = record.status;
  hold.expires_at = record.expires_at;
  hold.created_at = record.created_at;
  return std::make_shared<const Hold>(hold);
}

}  // namespace

Receipt make_receipt(const Operation& operation,
                     const PlannedOperation& planned,
                     const domain::Decided& decided,
                     WalletCache& wallets) {
  Receipt receipt;
  receipt.id = operation.id;
  receipt.type = planned.type;
  receipt.applied_at = planned.at;
  receipt.metadata = operation.metadata;
  receipt.legs.reserve(decided.legs.size());
  for (const domain::DecidedLeg& leg : decided.legs) receipt.legs.push_back(leg_receipt(leg));
  if (decided.hold) {
    receipt.hold = hold_view(decided.hold->after, *decided.hold_wallet, wallets);
  }
  if (planned.reverses) receipt.reverses = std::make_shared<const OperationId>(*planned.reverses);
  return receipt;
}

Result<Outcome> refused(Refusal refusal) {
  return Outcome(Refused{std::make_shared<const Refusal>(std::move(refusal)), false});
}

std::string pointer_in_batch(std::size_t index, std::string_view pointer) {
  if (!pointer.starts_with('/')) return std::string(pointer);
  return std::string("/operations/").append(std::to_string(index)).append(pointer);
}

Result<Outcome> repeat_answer(const RecordedOperation& recorded,
                              const Operation& operation,
                              const Fingerprint& fingerprint) {
  const bool differs = recorded.fingerprint != fingerprint ||
                       domain::states_other_currency(operation.body, recorded.receipt);
  if (differs) return refused(domain::operation_mismatch(operation.id));
  if (recorded.refusal) return Outcome(Refused{recorded.refusal, true});
  return Outcome(AlreadyApplied{recorded.receipt});
}

Result<Outcome> repeat_answer(const Fingerprint& first_fingerprint,
                              const Outcome& first,
                              const Operation& operation,
                              const Fingerprint& fingerprint) {
  const Receipt* receipt = receipt_of(first);
  const bool differs =
      first_fingerprint != fingerprint ||
      (receipt != nullptr && domain::states_other_currency(operation.body, *receipt));
  if (differs) return refused(domain::operation_mismatch(operation.id));
  return std::visit(
      Match{[](const Applied& applied) { return Outcome(AlreadyApplied{applied.receipt}); },
            [](const AlreadyApplied& repeated) { return Outcome(repeated); },
            [](const Refused& refusal) {
              return Outcome(Refused{refusal.refusal, true});
            }},
      first);
}

}  // namespace mizan::engine
