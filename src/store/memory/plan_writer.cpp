#include "store/memory/plan_writer.hpp"

#include "store/memory/constraints.hpp"

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <variant>

namespace mizan::memory {
namespace {

/// A store's own jump length through a wallet's entries. This store reaches every entry by index
/// and keeps the links only because the port says what they mean.
constexpr std::uint64_t links_stride = 16;

bool is_done(const Result<WriteResult>& result) {
  return result && std::holds_alternative<WritesDone>(*result);
}

void link(WalletState& state, Sequence sequence, std::uint64_t version) {
  state.links.head = sequence;
  if (version % links_stride == 0) state.links.block = sequence;
}

}  // namespace

Error broken_constraint(std::string what) {
  return internal_error("memory: constraint", std::move(what));
}

WriteStale PlanWriter::find_stale(std::span<const WalletChange> changes) const {
  const std::shared_lock lock(tables_.mutex);
  WriteStale stale;
  for (const WalletChange& change : changes) {
    const WalletRow* row = view().find_row(change.after.number);
    if (row == nullptr || row->state.revision != change.revision_before) {
      stale.wallets.push_back(change.after.number);
    }
  }
  return stale;
}

Result<WriteResult> PlanWriter::record_operations(Plan& plan) {
  const std::unique_lock lock(tables_.mutex);
  for (WalletChange& wallet : plan.wallets) {
    const WalletRow* row = view().find_row(wallet.after.number);
    if (row == nullptr) return WriteResult(WriteStale{{wallet.after.number}});
    wallet.after.links = row->state.links;
  }
  for (const PlannedOperation& operation : plan.operations) {
    auto recorded = record_operation(operation, plan.wallets);
    if (!is_done(recorded)) return recorded;
  }
  return WriteResult(WritesDone{});
}

Result<WriteResult> PlanWriter::write_wallets(std::span<const WalletChange> changes) {
  WriteStale stale = find_stale(changes);
  if (!stale.wallets.empty()) return WriteResult(std::move(stale));
  const std::unique_lock lock(tables_.mutex);
  for (const WalletChange& change : changes) {
    if (change.after.revision <= change.revision_before) {
      return broken_constraint("a write that does not move the revision on");
    }
    if (auto what = broken_wallet(change.after)) return broken_constraint(*what);
    put_state(*view().find_row(change.after.number), change.after);
  }
  return WriteResult(WritesDone{});
}

Result<WriteResult> PlanWriter::write_links(std::span<const WalletChange> changes) {
  const std::unique_lock lock(tables_.mutex);
  for (const WalletChange& change : changes) {
    const WalletRow* row = view().find_row(change.after.number);
    if (row == nullptr) return broken_constraint("a leg names a wallet that is not there");
    WalletRow linked = *row;
    linked.state.links = change.after.links;
    linked.state.last_entry_at = change.after.last_entry_at;
    writer_.put_wallet(std::move(linked));
  }
  return WriteResult(WritesDone{});
}

Result<WriteResult> PlanWriter::change_holds(std::span<const HoldChange> holds) {
  const std::unique_lock lock(tables_.mutex);
  for (const HoldChange& hold : holds) {
    auto changed = change_hold(hold, hold.after.id);
    if (!is_done(changed)) return changed;
  }
  return WriteResult(WritesDone{});
}

void PlanWriter::put_state(const WalletRow& row, const WalletState& state) {
  WalletRow changed = row;
  changed.state = state;
  // What a row is called and holds never changes.
  changed.state.id = row.state.id;
  changed.state.currency = row.state.currency;
  writer_.put_wallet(std::move(changed));
}

Result<WriteResult> PlanWriter::record_operation(const PlannedOperation& operation,
                                                 std::vector<WalletChange>& wallets) {
  if (view().find_operation_row(operation.id) != nullptr) {
    return WriteResult(WriteDuplicate{operation.id});
  }
  OperationRow row;
  row.fingerprint = operation.fingerprint;
  row.type = operation.type;
  row.at = operation.at;
  row.refusal = operation.refusal;
  if (operation.refusal) {
    writer_.insert_operation(operation.id, std::move(row));
    return WriteResult(WritesDone{});
  }
  row.metadata = operation.metadata;
  row.first_leg = tables_.journal.size();
  row.leg_count = operation.legs.size();
  if (operation.hold) row.hold = std::make_shared<const HoldRecord>(operation.hold->after);
  if (operation.reverses) {
    if (view().find_reversal(*operation.reverses) != nullptr) {
      return WriteResult(WriteDuplicate{operation.id});
    }
    row.reverses = *operation.reverses;
    writer_.insert_reversal(*operation.reverses, operation.id);
  }
  writer_.insert_operation(operation.id, std::move(row));
  for (const PlannedLeg& leg : operation.legs) {
    if (auto what = append_leg(operation, leg, wallets)) return broken_constraint(*what);
  }
  if (operation.hold) return change_hold(*operation.hold, operation.id);
  return WriteResult(WritesDone{});
}

std::optional<std::string> PlanWriter::append_leg(const PlannedOperation& operation,
                                                  const PlannedLeg& leg,
                                                  std::vector<WalletChange>& wallets) {
  if (leg.amount <= MinorUnits{0}) return "a leg's amount is not positive";
  if (leg.from == leg.to) return "a leg from a wallet to itself";
  WalletState* from = leg.from == world_slot ? nullptr : &wallets.at(leg.from).after;
  WalletState* to = leg.to == world_slot ? nullptr : &wallets.at(leg.to).after;
  JournalLeg row;
  row.operation = operation.id;
  row.type = operation.type;
  row.at = operation.at;
  row.amount = leg.amount;
  row.metadata = operation.metadata;
  if (from != nullptr) {
    row.from = from->number;
    row.from_balance = leg.from_balance;
    row.from_version = leg.from_version;
    row.from_links = from->links;
    const MinorUnits change{-leg.amount.value()};
    if (auto what = broken_entry(
            tables_, {from->number, leg.from_version, change, leg.from_balance, operation.at})) {
      return what;
    }
  }
  if (to != nullptr) {
    row.to = to->number;
    row.to_balance = leg.to_balance;
    row.to_version = leg.to_version;
    row.to_links = to->links;
    if (auto what = broken_entry(
            tables_, {to->number, leg.to_version, leg.amount, leg.to_balance, operation.at})) {
      return what;
    }
  }
  const Sequence sequence = writer_.append_leg(std::move(row));
  if (from != nullptr) link(*from, sequence, leg.from_version);
  if (to != nullptr) link(*to, sequence, leg.to_version);
  return std::nullopt;
}

Result<WriteResult> PlanWriter::change_hold(const HoldChange& change,
                                            const OperationId& operation) {
  const HoldRecord* record = view().find_hold_record(change.after.id);
  if (change.kind == HoldChange::Kind::create) {
    if (record != nullptr) return WriteResult(WriteDuplicate{operation});
  } else if (record == nullptr || record->status != change.status_before ||
             record->captured != change.captured_before) {
    return WriteResult(WriteStale{{change.after.wallet}});
  }
  if (auto what = broken_hold(change.after)) return broken_constraint(*what);
  writer_.put_hold(change.after);
  return WriteResult(WritesDone{});
}

}  // namespace mizan::memory
