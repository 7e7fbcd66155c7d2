#include "store/sql/plan_rows.hpp"

#include <algorithm>
#include <string_view>

namespace mizan::sql {
namespace {

Error bad_plan(WalletNumber wallet, std::string_view what) {
  return internal_error(
      "store: write", "wallet number " + std::to_string(wallet.value()) + ": " + std::string(what));
}

/// What one leg does to one wallet.
struct SideEntry {
  std::uint64_t version = 0;
  std::int64_t balance = 0;
  std::int64_t change = 0;
};

/// How far one wallet has come while its legs are laid out.
struct Progress {
  WalletNumber number;
  HistoryLinks links;
  std::uint64_t version = 0;  // Of its newest entry in this plan; 0: none yet.
  std::int64_t balance = 0;
  std::uint64_t version_before = 0;  // What its first entry in this plan continues.
  std::int64_t balance_before = 0;
};

class Layout {
 public:
  Layout(Plan& plan, Sequence first, const ReadJump& read_jump)
      : plan_(plan), first_(first), read_jump_(read_jump) {}

  Result<PlanRows> run() {
    wallets_.reserve(plan_.wallets.size());
    for (const WalletChange& change : plan_.wallets) {
      wallets_.push_back({change.after.number, change.after.links});
    }
    rows_.journal.reserve(count_rows(plan_));
    for (const PlannedOperation& operation : plan_.operations) {
      if (Status added = add_operation(operation); !added) return added.error();
    }
    if (Status added = add_wallets(); !added) return added.error();
    return std::move(rows_);
  }

 private:
  JournalRow& add_row(const PlannedOperation& operation, bool is_first) {
    JournalRow& row = rows_.journal.emplace_back();
    row.operation = &operation;
    row.is_first = is_first;
    row.sequence = Sequence{first_.value() + static_cast<std::int64_t>(rows_.journal.size()) - 1};
    return row;
  }

  Status add_operation(const PlannedOperation& operation) {
    if (operation.refusal || operation.legs.empty()) {
      add_row(operation, true);
      return {};
    }
    for (const PlannedLeg& leg : operation.legs) {
      JournalRow& row = add_row(operation, &leg == operation.legs.data());
      row.leg = &leg;
      if (Status added = add_leg(leg, row); !added) return added;
    }
    return {};
  }

  Status add_leg(const PlannedLeg& leg, JournalRow& row) {
    const std::int64_t amount = leg.amount.value();
    if (amount <= 0) return bad_plan(world_number, "a leg's amount is not positive");
    if (leg.from != world_slot) {
      auto links =
          advance(leg.from, {leg.from_version, leg.from_balance.value(), -amount}, row.sequence);
      if (!links) return links.error();
      row.from_links = *links;
      row.from = wallets_[leg.from].number;
    }
    if (leg.to != world_slot) {
      auto links = advance(leg.to, {leg.to_version, leg.to_balance.value(), amount}, row.sequence);
      if (!links) return links.error();
      row.to_links = *links;
      row.to = wallets_[leg.to].number;
    }
    if (row.from == row.to) return bad_plan(row.from, "a leg from a wallet to itself");
    return {};
  }

  /// Moves the wallet's chain on to `sequence`; answers where the new entry goes on.
  Result<EntryLinks> advance(Slot slot, const SideEntry& entry, Sequence sequence) {
    if (slot >= wallets_.size()) return bad_plan(world_number, "a leg outside the plan");
    Progress& wallet = wallets_[slot];
    std::int64_t balance_before = 0;
    if (__builtin_sub_overflow(entry.balance, entry.change, &balance_before)) {
      return bad_plan(wallet.number, "an entry leaves 64 bits");
    }
    if (wallet.version == 0) {
      wallet.version_before = entry.version - 1;
      wallet.balance_before = balance_before;
    } else if (entry.version != wallet.version + 1 || balance_before != wallet.balance) {
      return bad_plan(wallet.number, "an entry does not follow the one before it");
    }
    const bool has_head = (entry.version > 1) == (wallet.links.head.value() != 0);
    const bool has_block = (entry.version > history_stride) == (wallet.links.block.value() != 0);
    if (!has_head || !has_block) return bad_plan(wallet.number, "its links are not its own");
    wallet.version = entry.version;
    wallet.balance = entry.balance;
    EntryLinks links{wallet.links.head, wallet.links.block};
    if (entry.version % history_stride == 0) {
      auto jump = find_jump(wallet, entry.version);
      if (!jump) return jump.error();
      links.jump = *jump;
      wallet.links.block = sequence;
    }
    wallet.links.head = sequence;
    return links;
  }

  Result<Sequence> find_jump(const Progress& wallet, std::uint64_t version) {
    const std::uint64_t target = jump_version(version);
    if (target == 0) return Sequence{};
    // The block before is a stride back; from there the jumps reach the target.
    Sequence at = wallet.links.block;
    for (std::uint64_t reached = version - history_stride; reached != target;
         reached = jump_version(reached)) {
      auto further = jump_of(wallet.number, at);
      if (!further) return further;
      if (further->value() == 0) return bad_plan(wallet.number, "its chain of entries is broken");
      at = *further;
    }
    return at;
  }

  Result<Sequence> jump_of(WalletNumber wallet, Sequence sequence) {
    if (sequence < first_) return read_jump_(wallet, sequence);
    const auto index = static_cast<std::size_t>(sequence.value() - first_.value());
    const JournalRow& row = rows_.journal[index];
    return row.to == wallet ? row.to_links.jump : row.from_links.jump;
  }

  Status add_wallets() {
    rows_.wallets.reserve(plan_.wallets.size());
    for (std::size_t i = 0; i < plan_.wallets.size(); ++i) {
      WalletChange& change = plan_.wallets[i];
      Progress& progress = wallets_[i];
      if (progress.version == 0) {
        progress.version = progress.version_before = change.after.version;
        progress.balance = progress.balance_before = change.after.balance.value();
      }
      if (progress.version != change.after.version ||
          progress.balance != change.after.balance.value()) {
        return bad_plan(progress.number, "its entries do not end in its state");
      }
      change.after.links = progress.links;
      rows_.wallets.push_back(
          {&change, progress.links, progress.version_before, progress.balance_before});
    }
    std::sort(rows_.wallets.begin(), rows_.wallets.end(), [](const auto& a, const auto& b) {
      return a.change->after.number < b.change->after.number;
    });
    return {};
  }

  Plan& plan_;
  Sequence first_;
  const ReadJump& read_jump_;
  std::vector<Progress> wallets_;
  PlanRows rows_;
};

}  // namespace

std::size_t count_rows(const Plan& plan) noexcept {
  std::size_t count = 0;
  for (const PlannedOperation& operation : plan.operations) {
    count += operation.refusal || operation.legs.empty() ? 1 : operation.legs.size();
  }
  return count;
}

Result<PlanRows> lay_out(Plan& plan, Sequence first, const ReadJump& read_jump) {
  return Layout(plan, first, read_jump).run();
}

}  // namespace mizan::sql
