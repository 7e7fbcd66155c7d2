#include "store/memory/constraints.hpp"

#include <cstddef>

namespace mizan::memory {
namespace {

std::string about(WalletNumber wallet, const char* what) {
  return "wallet number " + std::to_string(wallet.value()) + ": " + what;
}

/// The balance and time after the last entry; zero and the epoch where there is none.
struct LastEntry {
  MinorUnits balance;
  Timestamp at;
};

LastEntry last_entry(const Tables& tables, WalletNumber wallet) {
  const std::vector<EntryPosition>& history = tables.histories[index_of(wallet)];
  if (history.empty()) return {};
  const JournalLeg& leg = tables.journal[history.back().leg].leg;
  return {history.back().credit ? leg.to_balance : leg.from_balance, leg.at};
}

}  // namespace

std::optional<std::string> broken_wallet(const WalletState& state) {
  if (state.held < MinorUnits{0}) return about(state.number, "held is negative");
  if (state.min_balance) {
    const WideUnits available = WideUnits{state.balance.value()} - state.held.value();
    if (available < state.min_balance->value()) {
      return about(state.number, "available is below min_balance");
    }
  }
  if (state.status == WalletStatus::closed &&
      (state.balance != MinorUnits{0} || state.held != MinorUnits{0})) {
    return about(state.number, "a closed wallet has money");
  }
  return std::nullopt;
}

std::optional<std::string> broken_hold(const HoldRecord& hold) {
  if (hold.amount <= MinorUnits{0}) return "a hold of nothing";
  if (hold.captured < MinorUnits{0} || hold.captured > hold.amount) {
    return "a hold's captured amount is out of range";
  }
  return std::nullopt;
}

std::optional<std::string> broken_entry(const Tables& tables, const NewEntry& entry) {
  const LastEntry last = last_entry(tables, entry.wallet);
  if (entry.version != tables.histories[index_of(entry.wallet)].size() + 1) {
    return about(entry.wallet, "the entry's version does not follow the last one");
  }
  if (add(last.balance, entry.change) != entry.balance) {
    return about(entry.wallet, "the entry's balance is not the last one plus its change");
  }
  if (entry.at < last.at) return about(entry.wallet, "the entry goes back in time");
  return std::nullopt;
}

std::optional<std::string> broken_history(const Tables& tables, const WalletState& state) {
  if (state.version != tables.histories[index_of(state.number)].size()) {
    return about(state.number, "the version is not the number of entries");
  }
  if (state.balance != last_entry(tables, state.number).balance) {
    return about(state.number, "the balance is not that of the last entry");
  }
  return std::nullopt;
}

}  // namespace mizan::memory
