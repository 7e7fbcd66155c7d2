// Recomputes the promises of conservation from the entries (docs/invariants.md).

#include "mizan/ledger.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

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
};

class Verifier {
 public:
  Verifier(Snapshot& snapshot, const std::function<void(std::uint64_t)>& progress)
      : snapshot_(snapshot), progress_(progress) {}

  Result<VerifyReport> run() {
    if (auto status = read_wallets(); !status) return std::move(status).error();
    if (auto status = read_legs(); !status) return std::move(status).error();
    if (auto status = read_holds(); !status) return std::move(status).error();
    for (const auto& [number, recount] : recounts_) compare(recount);
    compare_sums();
    return std::move(report_);
  }

 private:
  struct Sums {
    WideUnits wallets = 0;
    WideUnits world = 0;
  };

  struct Side {
    WalletNumber wallet;
    WideUnits change;
    MinorUnits balance;
    std::uint64_t version;
    Sequence previous;
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
        recounts_[state.number].stored = state;
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
      if (!page->next) return {};
      after = *page->next;
    }
  }

  void check_leg(const JournalLeg& leg) {
    if (leg.operation != last_operation_) {
      ++report_.operations;
      last_operation_ = leg.operation;
    }
    if (!(last_sequence_ < leg.sequence)) {
      report("I8", nullptr, leg.sequence, "the journal is not in order");
    }
    last_sequence_ = leg.sequence;
    if (leg.amount.value() <= 0) {
      report("I1", nullptr, leg.sequence, "a leg's amount is not positive");
    }
    if (leg.from == leg.to) {
      report("I1", nullptr, leg.sequence, "both sides of a leg are the same");
    }
    const WideUnits amount = leg.amount.value();
    const Recount* from = check_side(
        leg, {leg.from, -amount, leg.from_balance, leg.from_version, leg.from_links.head});
    const Recount* to =
        check_side(leg, {leg.to, amount, leg.to_balance, leg.to_version, leg.to_links.head});
    check_currencies(leg, from, to);
  }

  Recount* check_side(const JournalLeg& leg, const Side& side) {
    if (side.wallet == world_number) return nullptr;
    const auto found = recounts_.find(side.wallet);
    if (found == recounts_.end()) {
      report("I2",
             nullptr,
             leg.sequence,
             "an entry belongs to wallet number " + std::to_string(side.wallet.value()) +
                 ", which does not exist");
      return nullptr;
    }
    Recount& recount = found->second;
    ++report_.entries;
    recount.balance += side.change;
    ++recount.version;
    if (recount.version != side.version) {
      report("I4",
             &recount,
             leg.sequence,
             "entry number " + std::to_string(recount.version) + " says it is number " +
                 std::to_string(side.version));
    }
    if (recount.balance != side.balance.value()) {
      report("I4",
             &recount,
             leg.sequence,
             "the entry says the balance after it is " + std::to_string(side.balance.value()) +
                 ", the entries before it make it " + to_string(recount.balance));
    }
    if (recount.head != side.previous) {
      report("I4", &recount, leg.sequence, "the entry does not name the entry before it");
    }
    if (leg.at < recount.last_at) {
      report("I4", &recount, leg.sequence, "the entry is older than the one before it");
    }
    // Go on from what is stored, so that one wrong entry is reported once.
    recount.balance = side.balance.value();
    recount.version = side.version;
    recount.head = leg.sequence;
    recount.last_at = leg.at;
    return &recount;
  }

  void check_currencies(const JournalLeg& leg, const Recount* from, const Recount* to) {
    const Recount* known = from != nullptr ? from : to;
    if (known == nullptr) {
      report("I1", nullptr, leg.sequence, "neither side of a leg is a wallet");
      return;
    }
    if (from != nullptr && to != nullptr &&
        from->stored.currency.code != to->stored.currency.code) {
      report("I1", from, leg.sequence, "a leg joins two currencies");
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
    const bool sane =
        hold.amount.value() > 0 && hold.captured.value() >= 0 && hold.captured <= hold.amount;
    if (recount == nullptr || !sane) {
      report("I9", recount, std::nullopt, "hold " + hold.id.str() + " makes no sense");
      return;
    }
    if (hold.status == HoldStatus::open) {
      recount->held += hold.amount.value() - hold.captured.value();
    }
  }

  void compare(const Recount& recount) {
    const WalletState& stored = recount.stored;
    if (recount.balance != stored.balance.value()) {
      report("I2",
             &recount,
             recount.head,
             "the wallet says its balance is " + std::to_string(stored.balance.value()) +
                 ", its entries make it " + to_string(recount.balance));
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
    const WideUnits free = WideUnits{stored.balance.value()} - stored.held.value();
    if (stored.min_balance && free < stored.min_balance->value()) {
      report("I3",
             &recount,
             recount.head,
             "available " + to_string(free) + " is below min_balance " +
                 std::to_string(stored.min_balance->value()));
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
  OperationId last_operation_;
  Sequence last_sequence_;
};

}  // namespace

Result<VerifyReport> verify(Store& store, const std::function<void(std::uint64_t)>& progress) {
  auto snapshot = store.snapshot();
  if (!snapshot) return std::move(snapshot).error();
  return Verifier(**snapshot, progress).run();
}

}  // namespace mizan
