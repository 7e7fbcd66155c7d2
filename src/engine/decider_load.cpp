// What a decider reads through its transaction: ids, due holds, wallets, marks, holds, reversals.

#include "base/assert.hpp"
#include "domain/decide.hpp"
#include "domain/named_wallets.hpp"
#include "engine/decider.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::engine {
namespace {

constexpr std::size_t due_holds_max = 256;  // Read and written at once.

/// Ids that only grow cannot repeat; time-ordered ids make this the common case.
bool strictly_ascending(std::span<Request* const> requests) {
  for (std::size_t i = 1; i < requests.size(); ++i) {
    if (!(requests[i - 1]->operation->id < requests[i]->operation->id)) return false;
  }
  return true;
}

}  // namespace

bool moves_money_only(const Operation& operation) noexcept {
  const bool moves = std::holds_alternative<Transfer>(operation.body) ||
                     std::holds_alternative<Deposit>(operation.body) ||
                     std::holds_alternative<Withdraw>(operation.body);
  return moves && operation.fences.empty() && operation.conditions.empty();
}

Result<std::size_t> Decider::expire_holds() {
  std::size_t total = 0;
  while (true) {
    auto due = transaction_.load_due_holds(now_, due_holds_max);
    if (!due) return std::move(due).error();
    if (due->empty()) return total;
    if (auto status = expire(*due); !status) return std::move(status).error();
    total += due->size();
    if (due->size() < due_holds_max) return total;
  }
}

Status Decider::expire(std::span<const HoldRecord> due) {
  Plan plan;
  std::vector<HoldChange> changes;
  std::unordered_map<WalletNumber, std::size_t> places;
  for (const HoldRecord& hold : due) {
    auto [place, added] = places.emplace(hold.wallet, plan.wallets.size());
    if (added) {
      const WalletNumber numbers[] = {hold.wallet};
      auto states = transaction_.load_wallets_by_number(numbers, LoadLock::update);
      if (!states) return std::move(states).error();
      MIZAN_ASSERT(states->front().has_value());
      WalletChange change;
      change.after = *states->front();
      change.revision_before = change.after.revision++;
      change.balance_changed = false;
      plan.wallets.push_back(change);
    }
    changes.push_back(domain::expire(hold, plan.wallets[place->second].after));
  }
  auto written = transaction_.write_expiry(changes, plan.wallets);
  if (!written) return std::move(written).error();
  if (!std::holds_alternative<WritesDone>(*written)) {
    return Error{Code::contended,
                 Certainty::not_applied,
                 Retry::now,
                 "expire holds",
                 "a hold ended while it was being expired"};
  }
  for (const WalletChange& change : plan.wallets) {
    CachedWallet& wallet = touch(cache_.put(change.after));
    wallet.fresh = true;
  }
  return {};
}

void Decider::look(std::span<Request* const> requests) {
  collect_ids(requests);
  find_named_wallets(requests);
}

bool Decider::knows_enough(std::span<Request* const> requests) const noexcept {
  return wanted_.empty() && std::all_of(requests.begin(), requests.end(), [](const Request* one) {
           return moves_money_only(*one->operation);
         });
}

Result<bool> Decider::confirm() {
  auto answer = transaction_.start({now_, due_holds_max, ids_, {}, lock_});
  if (!answer) return std::move(answer).error();
  return answer->due_holds.empty() && answer->known.empty();
}

Result<std::size_t> Decider::start() {
  auto answer = transaction_.start({now_, due_holds_max, ids_, wanted_, lock_});
  if (!answer) return std::move(answer).error();
  std::size_t expired = answer->due_holds.size();
  if (expired > 0) {
    if (auto status = expire(answer->due_holds); !status) return std::move(status).error();
    auto further = expire_holds();
    if (!further) return further;
    expired += *further;
    answer = ask_after_expiry();
    if (!answer) return std::move(answer).error();
  }
  known_ = std::move(answer->known);
  take_wallets(answer->wallets);
  return expired;
}

/// The wallets of the holds that ended are cached by now, and others are still missing.
Result<StartAnswer> Decider::ask_after_expiry() {
  StartAnswer answer;
  auto known = transaction_.claim(ids_);
  if (!known) return std::move(known).error();
  answer.known = *std::move(known);
  std::erase_if(wanted_, [this](const WalletId& id) { return cache_.find(id) != nullptr; });
  if (wanted_.empty()) return answer;
  auto wallets = transaction_.load_wallets(wanted_, lock_);
  if (!wallets) return std::move(wallets).error();
  answer.wallets = *std::move(wallets);
  return answer;
}

void Decider::take_wallets(std::span<const std::optional<WalletState>> states) {
  for (const auto& state : states) {
    if (state) touch(cache_.put(*state)).fresh = true;
  }
}

void Decider::collect_ids(std::span<Request* const> requests) {
  ids_repeat_ = !strictly_ascending(requests);
  ids_.reserve(requests.size());
  for (const Request* request : requests) {
    ids_.push_back(&request->operation->id);
    keeps_reversibles_ =
        keeps_reversibles_ || std::holds_alternative<Reverse>(request->operation->body);
  }
}

/// Looks the wallets up that the requests name, and notes those that are not cached, each once.
void Decider::find_named_wallets(std::span<Request* const> requests) {
  names_.reserve(2 * requests.size());
  named_from_.reserve(requests.size() + 1);
  for (const Request* request : requests) {
    named_from_.push_back(names_.size());
    domain::visit_named_wallets(*request->operation,
                                [this](const WalletId& id) { names_.push_back(&id); });
  }
  named_from_.push_back(names_.size());
  named_.resize(names_.size());
  cache_.find_all(names_, named_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (named_[i] == nullptr && wanted_set_.insert(*names_[i]).second)
      wanted_.push_back(*names_[i]);
  }
}

Result<std::optional<Refusal>> Decider::check_fences(const Operation& operation) {
  const std::vector<Fence>& fences = operation.fences;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    auto mark = transaction_.load_fence(fences[i].resource);
    if (!mark) return std::move(mark).error();
    if (!domain::fence_passes(*mark, fences[i])) {
      return std::optional(domain::stale_fence(fences, i, (*mark)->token));
    }
  }
  return std::optional<Refusal>();
}

Status Decider::resolve_hold(const OperationId& id,
                             const std::optional<MinorUnits>& amount,
                             domain::DecisionInput& input) {
  auto known = holds_.find(id);
  if (known == holds_.end()) {
    auto loaded = transaction_.load_hold(id);
    if (!loaded) return std::move(loaded).error();
    if (!*loaded) return {};
    known = holds_.emplace(id, **std::move(loaded)).first;
  }
  const HoldRecord& hold = known->second;
  auto from = wallet_by_number(hold.wallet);
  if (!from) return std::move(from).error();
  domain::Side to{nullptr, hold.to == world_number};
  if (!to.is_world) {
    auto wallet = wallet_by_number(hold.to);
    if (!wallet) return std::move(wallet).error();
    to.state = *wallet;
  }
  const MinorUnits rest{hold.amount.value() - hold.captured.value()};
  // The hold was read now, the wallet perhaps before it was made, or after it ended.
  if (hold.status == HoldStatus::open && (*from)->held < rest) {
    return Error{Code::contended,
                 Certainty::not_applied,
                 Retry::now,
                 "load hold",
                 "the hold and its wallet were read at different times"};
  }
  input.hold = &hold;
  input.legs.push_back({{*from, false}, to, amount.value_or(rest), {}, nullptr, nullptr});
  return {};
}

Status Decider::resolve_reversal(const OperationId& id, domain::DecisionInput& input) {
  auto known = reversibles_.find(id);
  if (known == reversibles_.end()) {
    auto loaded = transaction_.load_reversible(id);
    if (!loaded) return std::move(loaded).error();
    if (!*loaded) return {};
    known = reversibles_.emplace(id, **std::move(loaded)).first;
  }
  input.reversible = &known->second;
  for (const Leg& leg : domain::reversed_legs(known->second)) {
    for (const WalletId& wallet : {leg.from, leg.to}) {
      if (is_system_wallet(wallet)) continue;
      if (auto found = wallet_by_id(wallet); !found) return std::move(found).error();
    }
    input.legs.push_back({side(leg.from), side(leg.to), leg.amount, {}, nullptr, nullptr});
  }
  return {};
}

Result<CachedWallet*> Decider::wallet_by_number(WalletNumber number) {
  if (CachedWallet* wallet = cache_.find(number)) return &touch(*wallet);
  const WalletNumber numbers[] = {number};
  return adopt(transaction_.load_wallets_by_number(numbers, lock_));
}

Result<CachedWallet*> Decider::wallet_by_id(const WalletId& id) {
  if (CachedWallet* wallet = cache_.find(id)) return &touch(*wallet);
  const WalletId ids[] = {id};
  return adopt(transaction_.load_wallets(ids, lock_));
}

Result<CachedWallet*> Decider::adopt(Result<std::vector<std::optional<WalletState>>> states) {
  if (!states) return std::move(states).error();
  if (!states->front()) return internal_error("load wallet", "a recorded wallet is missing");
  CachedWallet& wallet = touch(cache_.put(*states->front()));
  wallet.fresh = true;
  return &wallet;
}

}  // namespace mizan::engine
