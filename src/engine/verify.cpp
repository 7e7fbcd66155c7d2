// Recomputes the promises of conservation from the entries (docs/invariants.md).

#include "mizan/ledger.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mizan {
namespace {

constexpr std::size_t page_size = 10'000;
constexpr std::size_t violations_max = 100;

/// What the entries read so far make of a wallet, beside what the store says it is.
struct Recount {
  WalletState stored;
  WideUnits balance = 0;
  std::uint64_t version = 0;
  Timestamp last_at{};
  Sequence head;
  WideUnits held = 0;
  WideUnits captured = 0;           ///< By its entries.
  WideUnits captured_by_holds = 0;  ///< As its holds say.
};

/// The legs of one operation, as they stand one after another in the journal.
struct Run {
  OperationId operation;
  Sequence first;
  OperationType type = OperationType::transfer;
  Timestamp at;
  std::size_t legs = 0;
  std::size_t from_world = 0;
  std::size_t to_world = 0;
};

std::string entry_name(std::uint64_t version, Sequence sequence) {
  return "entry " + std::to_string(version) + " (sequence " + std::to_string(sequence.value()) +
         ")";
}

std::string leg_name(const JournalLeg& leg) {
  return "the leg at sequence " + std::to_string(leg.sequence.value());
}

/// What the type of an operation demands of its legs; nothing where they are so.
const char* broken_demand(const Run& run) {
  const bool is_one = run.legs == 1;
  const bool is_inside = run.from_world == 0 && run.to_world == 0 && run.legs <= legs_max;
  switch (run.type) {
    case OperationType::transfer:
      return is_inside ? nullptr : "a transfer has 1–100 legs, all of them between wallets";
    case OperationType::deposit:
      return is_one && run.from_world == 1 ? nullptr
                                           : "a deposit has one leg, from the world to a wallet";
    case OperationType::withdraw:
      return is_one && run.to_world == 1 ? nullptr
                                         : "a withdrawal has one leg, from a wallet to the world";
    case OperationType::capture:
      return is_one && run.from_world == 0 ? nullptr : "a capture has one leg, from a wallet";
    case OperationType::reverse:
      return is_one || is_inside ? nullptr : "a reversal has one leg, or up to 100 between wallets";
    case OperationType::hold:
    case OperationType::void_hold:
      return "holds and voids have no legs";
  }
  return "there is no such type of operation";
}

class Verifier {
 public:
  Verifier(Snapshot& snapshot, const std::function<void(std::uint64_t)>& progress)
      : snapshot_(snapshot), progress_(progress) {}

  Result<VerifyReport> run() {
    auto registered = snapshot_.list_currencies();
    if (!registered) return std::move(registered).error();
    registered_ = *std::move(registered);
    if (auto status = read_all(); !status) return stopped(std::move(status).error());
    for (const auto& [number, recount] : recounts_) compare(recount);
    compare_sums();
    return std::move(report_);
  }

 private:
  Status read_all() {
    if (auto status = read_wallets(); !status) return status;
    if (auto status = read_legs(); !status) return status;
    return read_holds();
  }

  /// Says of a row that cannot be read how far the checking came.
  [[nodiscard]] Error stopped(Error error) const {
    if (error.code != Code::internal) return error;
    error.detail += "; verify stopped there, and not everything was checked";
    if (report_.violations.empty()) return error;
    const Violation& first = report_.violations.front();
    error.detail += "; findings before it: " + std::to_string(report_.violations.size()) +
                    ", the first: " + first.invariant + ' ' +
                    (first.wallet.empty() ? "" : first.wallet + ": ") + first.detail;
    return error;
  }

  struct Sums {
    WideUnits wallets = 0;
    WideUnits world = 0;
  };

  struct Side {
    WalletNumber wallet;
    WideUnits change = 0;
    MinorUnits balance;
    std::uint64_t version = 0;
    HistoryLinks links;
  };

  void report(std::string invariant,
              const Recount* recount,
              std::optional<Sequence> sequence,
              std::string detail) {
    if (report_.violations.size() >= violations_max) return;
    report_.violations.push_back({std::move(invariant),
                                  recount != nullptr ? recount->stored.id.str() : std::string(),
                                  sequence,
                                  std::move(detail)});
  }

  Status read_wallets() {
    WalletNumber after{0};
    while (true) {
      auto page = snapshot_.read_states(after, page_size);
      if (!page) return std::move(page).error();
      for (const WalletState& state : page->items) {
        Recount& recount = recounts_[state.number];
        recount.stored = state;
        check_currency(recount);
        sums_[state.currency.code].wallets += state.balance.value();
        ++report_.wallets;
      }
      if (!page->next) return {};
      after = *page->next;
    }
  }

  Status read_legs() {
    Sequence after{0};
    std::uint64_t legs = 0;
    while (true) {
      auto page = snapshot_.read_journal(after, page_size);
      if (!page) return std::move(page).error();
      for (const JournalLeg& leg : page->items) {
        check_leg(leg);
        ++legs;
      }
      if (progress_) progress_(legs);
      if (!page->next) break;
      after = *page->next;
    }
    finish_run();
    return {};
  }

  /// Amounts of two exponents do not add up, and a wrong one moves the decimal point.
  void check_currency(const Recount& recount) {
    const Currency& currency = recount.stored.currency;
    std::optional<Currency> known = find_iso_currency(currency.code);
    if (!known) {
      const auto found = std::find_if(registered_.begin(), registered_.end(), [&](const auto& one) {
        return one.code == currency.code;
      });
      if (found != registered_.end()) known = *found;
    }
    if (!known) {
      report("I1", &recount, std::nullopt, "its currency " + currency.code.str() + " is unknown");
    } else if (known->exponent != currency.exponent) {
      report("I1",
             &recount,
             std::nullopt,
             "it counts " + currency.code.str() + " with " + std::to_string(currency.exponent) +
                 " decimals, the currency has " + std::to_string(known->exponent));
    }
  }

  void check_leg(const JournalLeg& leg) {
    if (!(last_sequence_ < leg.sequence)) {
      report("I8", nullptr, leg.sequence, leg_name(leg) + " is out of order");
    }
    last_sequence_ = leg.sequence;
    add_to_run(leg);
    if (leg.amount.value() <= 0) {
      report("I1",
             nullptr,
             leg.sequence,
             leg_name(leg) + " moves " + std::to_string(leg.amount.value()) +
                 ", which is not positive");
    }
    if (leg.from == leg.to) {
      report("I1", nullptr, leg.sequence, leg_name(leg) + " has the same wallet on both sides");
    }
    const WideUnits amount = leg.amount.value();
    Recount* from =
        check_side(leg, {leg.from, -amount, leg.from_balance, leg.from_version, leg.from_links});
    const Recount* to =
        check_side(leg, {leg.to, amount, leg.to_balance, leg.to_version, leg.to_links});
    if (from != nullptr && leg.type == OperationType::capture) from->captured += amount;
    check_currencies(leg, from, to);
  }

  void add_to_run(const JournalLeg& leg) {
    if (run_.legs == 0 || leg.operation != run_.operation) {
      finish_run();
      ++report_.operations;
      run_ = {leg.operation, leg.sequence, leg.type, leg.at};
    } else if (leg.type != run_.type || leg.at != run_.at) {
      report("I5",
             nullptr,
             leg.sequence,
             leg_name(leg) + " belongs to operation " + run_.operation.str() +
                 " and has another type or time than that one's first leg");
    }
    ++run_.legs;
    run_.from_world += leg.from == world_number ? 1U : 0U;
    run_.to_world += leg.to == world_number ? 1U : 0U;
  }

  void finish_run() {
    if (run_.legs == 0) return;
    const char* demand = broken_demand(run_);
    if (demand == nullptr) return;
    report("I5",
           nullptr,
           run_.first,
           "operation " + run_.operation.str() + " (sequence " +
               std::to_string(run_.first.value()) + ") has type " +
               std::to_string(static_cast<unsigned>(run_.type)) + " and " +
               std::to_string(run_.legs) + " legs, " + std::to_string(run_.from_world) +
               " from and " + std::to_string(run_.to_world) + " to the world: " + demand);
  }

  Recount* check_side(const JournalLeg& leg, const Side& side) {
    if (side.wallet == world_number) return nullptr;
    const auto found = recounts_.find(side.wallet);
    if (found == recounts_.end()) {
      report("I2",
             nullptr,
             leg.sequence,
             leg_name(leg) + " belongs to wallet number " + std::to_string(side.wallet.value()) +
                 ", which does not exist");
      return nullptr;
    }
    Recount& recount = found->second;
    ++report_.entries;
    recount.balance += side.change;
    ++recount.version;
    compare_entry(recount, leg, side);
    // Go on from what is stored, so that one wrong entry is reported once.
    recount.balance = side.balance.value();
    recount.version = side.version;
    recount.head = leg.sequence;
    recount.last_at = leg.at;
    return &recount;
  }

  void compare_entry(const Recount& recount, const JournalLeg& leg, const Side& side) {
    const std::string name = entry_name(recount.version, leg.sequence);
    if (recount.version != side.version) {
      report(
          "I4", &recount, leg.sequence, name + " says it is entry " + std::to_string(side.version));
    }
    if (recount.balance != side.balance.value()) {
      report("I4",
             &recount,
             leg.sequence,
             name + " says the balance after it is " + std::to_string(side.balance.value()) +
                 ", the entries before it make it " + to_string(recount.balance));
    }
    if (recount.head != side.links.head) {
      report("I4",
             &recount,
             leg.sequence,
             name + " names sequence " + std::to_string(side.links.head.value()) +
                 " as the entry before it, that is " + std::to_string(recount.head.value()));
    }
    // How far the longer jump goes is the store's affair; forward is wrong in any case.
    if (recount.head < side.links.block) {
      report("I4",
             &recount,
             leg.sequence,
             name + " jumps to sequence " + std::to_string(side.links.block.value()) +
                 ", which is no earlier entry of the wallet");
    }
    if (leg.at < recount.last_at) {
      report("I4", &recount, leg.sequence, name + " is older than the one before it");
    }
  }

  void check_currencies(const JournalLeg& leg, const Recount* from, const Recount* to) {
    const Recount* known = from != nullptr ? from : to;
    if (known == nullptr) {
      report("I1", nullptr, leg.sequence, leg_name(leg) + " has a wallet on neither side");
      return;
    }
    if (from != nullptr && to != nullptr &&
        from->stored.currency.code != to->stored.currency.code) {
      report("I1",
             from,
             leg.sequence,
             leg_name(leg) + " joins " + from->stored.currency.code.str() + " and " +
                 to->stored.currency.code.str());
    }
    Sums& sums = sums_[known->stored.currency.code];
    if (leg.from == world_number) sums.world -= leg.amount.value();
    if (leg.to == world_number) sums.world += leg.amount.value();
  }

  Status read_holds() {
    std::optional<OperationId> after;
    while (true) {
      auto page = snapshot_.read_holds(after, page_size);
      if (!page) return std::move(page).error();
      for (const HoldRecord& hold : page->items) check_hold(hold);
      if (!page->next) return {};
      after = *page->next;
    }
  }

  void check_hold(const HoldRecord& hold) {
    ++report_.holds;
    const auto found = recounts_.find(hold.wallet);
    Recount* recount = found == recounts_.end() ? nullptr : &found->second;
    const char* problem = hold_problem(hold, recount);
    if (problem != nullptr) {
      report("I9", recount, std::nullopt, "hold " + hold.id.str() + ' ' + problem);
    }
    if (recount == nullptr) return;
    recount->captured_by_holds += hold.captured.value();
    if (hold.status == HoldStatus::open) {
      recount->held += WideUnits{hold.amount.value()} - hold.captured.value();
    }
  }

  [[nodiscard]] const char* hold_problem(const HoldRecord& hold, const Recount* wallet) const {
    if (wallet == nullptr) return "belongs to a wallet that does not exist";
    if (hold.to != world_number) {
      const auto to = recounts_.find(hold.to);
      if (to == recounts_.end()) return "goes to a wallet that does not exist";
      if (to->second.stored.currency.code != wallet->stored.currency.code) {
        return "goes to a wallet of another currency";
      }
    }
    if (hold.amount.value() <= 0) return "reserves an amount that is not positive";
    if (hold.captured.value() < 0) return "says that less than nothing was captured of it";
    if (hold.captured > hold.amount) return "says that more was captured than it reserves";
    if (hold.status > HoldStatus::expired) return "has a status that does not exist";
    const bool is_used_up = hold.captured == hold.amount;
    if (is_used_up != (hold.status == HoldStatus::captured)) {
      return "has a status that its captured amount contradicts";
    }
    return nullptr;
  }

  void compare(const Recount& recount) {
    const WalletState& stored = recount.stored;
    if (recount.balance != stored.balance.value()) {
      report("I2",
             &recount,
             recount.head,
             "the wallet says its balance is " + std::to_string(stored.balance.value()) +
                 ", its newest " + entry_name(recount.version, recount.head) + " makes it " +
                 to_string(recount.balance));
    }
    if (recount.version != stored.version) {
      report("I4",
             &recount,
             recount.head,
             "the wallet says it has " + std::to_string(stored.version) + " entries, it has " +
                 std::to_string(recount.version));
    }
    if (recount.head != stored.links.head) {
      report("I4",
             &recount,
             recount.head,
             "the wallet names sequence " + std::to_string(stored.links.head.value()) +
                 " as its newest entry, it is " + std::to_string(recount.head.value()));
    }
    if (recount.held != stored.held.value()) {
      report("I9",
             &recount,
             std::nullopt,
             "the wallet says " + std::to_string(stored.held.value()) +
                 " is held, its open holds make it " + to_string(recount.held));
    }
    if (recount.captured != recount.captured_by_holds) {
      report("I9",
             &recount,
             std::nullopt,
             "its holds say that " + to_string(recount.captured_by_holds) +
                 " was captured, its entries make it " + to_string(recount.captured));
    }
    compare_limits(recount);
  }

  void compare_limits(const Recount& recount) {
    const WalletState& stored = recount.stored;
    const WideUnits free = WideUnits{stored.balance.value()} - stored.held.value();
    if (stored.min_balance && free < stored.min_balance->value()) {
      report("I3",
             &recount,
             recount.head,
             "available " + to_string(free) + " is below min_balance " +
                 std::to_string(stored.min_balance->value()));
    }
    if (stored.status > WalletStatus::closed) {
      report("I3", &recount, std::nullopt, "its status does not exist");
    }
    if (stored.status == WalletStatus::closed &&
        (stored.balance.value() != 0 || stored.held.value() != 0)) {
      report("I3",
             &recount,
             std::nullopt,
             "it is closed, yet its balance is " + std::to_string(stored.balance.value()) +
                 " and " + std::to_string(stored.held.value()) + " is held");
    }
  }

  void compare_sums() {
    for (const auto& [currency, sums] : sums_) {
      if (sums.wallets + sums.world == 0) continue;
      report("I1",
             nullptr,
             std::nullopt,
             "the wallets in " + currency.str() + " hold " + to_string(sums.wallets) + ", but " +
                 to_string(-sums.world) + " came in from the world");
    }
  }

  Snapshot& snapshot_;
  const std::function<void(std::uint64_t)>& progress_;
  VerifyReport report_;
  std::unordered_map<WalletNumber, Recount> recounts_;
  std::map<CurrencyCode, Sums> sums_;
  std::vector<Currency> registered_;
  Run run_;
  Sequence last_sequence_;
};

}  // namespace

Result<VerifyReport> verify(Store& store, const std::function<void(std::uint64_t)>& progress) {
  auto snapshot = store.snapshot();
  if (!snapshot) return std::move(snapshot).error();
  return Verifier(**snapshot, progress).run();
}

}  // namespace mizan
