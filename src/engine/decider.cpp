#include "engine/decider.hpp"

#include "base/match.hpp"
#include "engine/receipts.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mizan::engine {
Decider::Decider(Transaction& transaction,
                 WalletCache& cache,
                 std::uint64_t attempt,
                 Timestamp now,
                 LoadLock lock)
    : transaction_(transaction), cache_(cache), attempt_(attempt), now_(now), lock_(lock) {}

CachedWallet& Decider::touch(WalletState& state) {
  auto& wallet = static_cast<CachedWallet&>(state);
  if (wallet.attempt != attempt_) {
    wallet.attempt = attempt_;
    wallet.revision_before = wallet.revision;
    wallet.slot = world_slot;
    wallet.entries_added = false;
    wallet.relied_on = false;
    wallet.must_stay = false;
    wallet.fresh = false;
    touched_.push_back(&wallet);
  }
  return wallet;
}

Slot Decider::slot_of(WalletState& state, bool adds_entries) {
  CachedWallet& wallet = touch(state);
  if (wallet.slot == world_slot) {
    wallet.slot = static_cast<Slot>(written_.size());
    written_.push_back(&wallet);
  }
  wallet.entries_added = wallet.entries_added || adds_entries;
  return wallet.slot;
}

Status Decider::decide_all(std::span<Request* const> requests) {
  plan_.operations.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    fetch_ahead(i);
    if (auto status = decide_one(requests, i); !status) return status;
  }
  return {};
}

/// Has the processor fetch the wallets of a request that comes soon: in a large batch they have
/// left its caches since the first look, and waiting for memory is much of a decision.
void Decider::fetch_ahead(std::size_t index) const noexcept {
  constexpr std::size_t distance = 6;
  constexpr std::size_t line_bytes = 64;
  const std::size_t ahead = index + distance;
  if (ahead + 1 >= named_from_.size()) return;
  for (std::size_t i = named_from_[ahead]; i < named_from_[ahead + 1]; ++i) {
    const auto* bytes = reinterpret_cast<const char*>(named_[i]);
    if (bytes == nullptr) continue;
    for (std::size_t at = 0; at < sizeof(CachedWallet); at += line_bytes) {
      __builtin_prefetch(bytes + at, 1);
    }
  }
}

bool Decider::answer_repeat(std::span<Request* const> requests, std::size_t index) {
  Request& request = *requests[index];
  if (next_known_ < known_.size() && known_[next_known_].index == index) {
    const RecordedOperation& recorded = known_[next_known_++].recorded;
    request.result = repeat_answer(recorded, *request.operation, request.fingerprint);
    return true;
  }
  if (!ids_repeat_) return false;
  const auto earlier = recorded_.find(request.operation->id);
  if (earlier == recorded_.end()) return false;
  const Request& first = *requests[earlier->second.request];
  request.result =
      repeat_answer(first.fingerprint, **first.result, *request.operation, request.fingerprint);
  return true;
}

Status Decider::decide_one(std::span<Request* const> requests, std::size_t index) {
  Request& request = *requests[index];
  if (answer_repeat(requests, index)) return {};
  if (!request.operation->fences.empty()) {
    auto stale = check_fences(*request.operation);
    if (!stale) return std::move(stale).error();
    if (*stale) {
      request.result = refused(**std::move(stale));
      return {};
    }
  }
  if (auto status = resolve(request, index, input_); !status) return status;
  domain::Decision decision = domain::decide(input_);
  if (auto* refusal = std::get_if<Refusal>(&decision)) {
    rely_on(input_);
    refuse(request, index, std::move(*refusal));
    return {};
  }
  // A hold's receiver is looked at and not written.
  const bool looks_further = std::holds_alternative<CreateHold>(request.operation->body);
  if (looks_further || !input_.condition_wallets.empty()) rely_on(input_);
  for (WalletState* wallet : input_.condition_wallets) touch(*wallet).must_stay = true;
  return accept(request, index, std::move(std::get<domain::Decided>(decision)));
}

domain::Side Decider::side(const WalletId& id, CachedWallet* known) {
  if (is_system_wallet(id)) return {nullptr, true};
  CachedWallet* wallet = known != nullptr ? known : cache_.find(id);
  if (wallet != nullptr) touch(*wallet);
  return {wallet, false};
}

/// Names are pointed at: they are the operation's own.
domain::ResolvedLeg Decider::resolve_leg(const WalletId& from,
                                         const WalletId& to,
                                         MinorUnits amount,
                                         const CurrencyCode& currency) {
  return {side(from), side(to), amount, currency, &from, &to};
}

void Decider::add_transfer(domain::DecisionInput& input,
                           const Transfer& transfer,
                           std::size_t index) {
  std::size_t named = named_from_[index];
  for (const Leg& leg : transfer.legs) {
    const domain::Side from = side(leg.from, named_[named++]);
    const domain::Side to = side(leg.to, named_[named++]);
    input.legs.push_back({from, to, leg.amount, leg.currency, &leg.from, &leg.to});
  }
}

Status Decider::resolve(const Request& request, std::size_t index, domain::DecisionInput& input) {
  const Operation& operation = *request.operation;
  input.operation = &operation;
  input.fingerprint = request.fingerprint;
  input.now = now_;
  input.legs.clear();
  input.hold = nullptr;
  input.reversible = nullptr;
  input.condition_wallets.clear();
  static const WalletId world{"@world"};
  Status status = std::visit(
      Match{[&](const Transfer& transfer) {
              add_transfer(input, transfer, index);
              return Status{};
            },
            [&](const Deposit& deposit) {
              input.legs.push_back(
                  resolve_leg(world, deposit.wallet, deposit.amount, deposit.currency));
              return Status{};
            },
            [&](const Withdraw& withdraw) {
              input.legs.push_back(
                  resolve_leg(withdraw.wallet, world, withdraw.amount, withdraw.currency));
              return Status{};
            },
            [&](const CreateHold& hold) {
              const WalletId& to = hold.to.empty() ? world : hold.to;
              input.legs.push_back(resolve_leg(hold.wallet, to, hold.amount, hold.currency));
              return Status{};
            },
            [&](const CaptureHold& capture) {
              return resolve_hold(capture.hold, capture.amount, input);
            },
            [&](const VoidHold& voided) { return resolve_hold(voided.hold, std::nullopt, input); },
            [&](const Reverse& reverse) { return resolve_reversal(reverse.operation, input); }},
      operation.body);
  if (!status) return status;
  for (const Condition& condition : operation.conditions) {
    input.condition_wallets.push_back(side(condition.wallet).state);
  }
  return {};
}

void Decider::rely_on(const domain::DecisionInput& input) {
  const auto mark = [this](WalletState* state) {
    if (state != nullptr) touch(*state).relied_on = true;
  };
  for (const domain::ResolvedLeg& leg : input.legs) {
    mark(leg.from.state);
    mark(leg.to.state);
  }
  for (WalletState* wallet : input.condition_wallets) mark(wallet);
}

void Decider::refuse(Request& request, std::size_t index, Refusal refusal) {
  const bool stored = request.refusals == RefusalMode::final && is_business_refusal(refusal.code);
  request.result = refused(std::move(refusal));
  if (!stored) return;
  PlannedOperation planned;
  planned.id = request.operation->id;
  planned.fingerprint = request.fingerprint;
  planned.type = type_of(request.operation->body);
  planned.at = now_;
  planned.refusal = std::get<Refused>(**request.result).refusal;
  plan_.operations.push_back(std::move(planned));
  if (ids_repeat_) recorded_.emplace(request.operation->id, Recorded{index});
}

Status Decider::accept(Request& request, std::size_t index, domain::Decided decided) {
  const Operation& operation = *request.operation;
  for (const Fence& fence : operation.fences) {
    auto advance = transaction_.advance_fence(fence);
    if (!advance) return std::move(advance).error();
    if (std::holds_alternative<FenceStale>(*advance)) {
      return Error{Code::contended,
                   Certainty::not_applied,
                   Retry::now,
                   "advance fence",
                   "the fence was advanced by somebody else meanwhile"};
    }
  }
  PlannedOperation planned;
  planned.id = operation.id;
  planned.fingerprint = request.fingerprint;
  planned.type = type_of(operation.body);
  planned.metadata = operation.metadata;
  planned.at = now_;
  planned.legs.reserve(decided.legs.size());
  for (const domain::DecidedLeg& leg : decided.legs) {
    for (WalletState* wallet : {leg.from, leg.to}) {
      if (wallet != nullptr) planned.at = std::max(planned.at, wallet->last_entry_at);
    }
    planned.legs.push_back({leg.from != nullptr ? slot_of(*leg.from, true) : world_slot,
                            leg.to != nullptr ? slot_of(*leg.to, true) : world_slot,
                            leg.amount,
                            leg.from_balance,
                            leg.from_version,
                            leg.to_balance,
                            leg.to_version});
  }
  if (decided.hold) {
    if (decided.hold_wallet != nullptr) slot_of(*decided.hold_wallet, false);
    planned.hold = std::make_unique<HoldChange>(*decided.hold);
    remember_hold(decided.hold->after);
  }
  if (const auto* reverse = std::get_if<Reverse>(&operation.body)) {
    planned.reverses = std::make_unique<OperationId>(reverse->operation);
    reversibles_[reverse->operation].reversed = true;
  }
  for (const domain::DecidedLeg& leg : decided.legs) {
    for (WalletState* wallet : {leg.from, leg.to}) {
      if (wallet != nullptr) wallet->last_entry_at = planned.at;
    }
  }
  Receipt receipt = make_receipt(operation, planned, decided, cache_);
  if (keeps_reversibles_) reversibles_[operation.id] = {planned.type, receipt.legs, false};
  request.result = Result<Outcome>(Outcome(Applied{std::move(receipt)}));
  plan_.operations.push_back(std::move(planned));
  if (ids_repeat_) recorded_.emplace(operation.id, Recorded{index});
  return {};
}

void Decider::remember_hold(const HoldRecord& hold) {
  holds_.insert_or_assign(hold.id, hold);
}

std::vector<const WalletState*> Decider::unchecked() const {
  std::vector<const WalletState*> states;
  for (const CachedWallet* wallet : touched_) {
    if (wallet->relied_on && wallet->slot == world_slot && !wallet->fresh) {
      states.push_back(wallet);
    }
  }
  return states;
}

std::vector<const WalletState*> Decider::to_be_held() const {
  std::vector<const WalletState*> states;
  for (const CachedWallet* wallet : touched_) {
    const bool is_locked = wallet->fresh && lock_ == LoadLock::update;
    if (wallet->must_stay && wallet->slot == world_slot && !is_locked) states.push_back(wallet);
  }
  return states;
}

void Decider::finish_plan() {
  plan_.wallets.reserve(written_.size());
  for (CachedWallet* wallet : written_) {
    wallet->revision = wallet->revision_before + 1;
    plan_.wallets.push_back({*wallet, wallet->revision_before, wallet->entries_added});
  }
}

void Decider::give_away() noexcept {
  is_away_ = true;
  for (CachedWallet* wallet : touched_) wallet->is_away = true;
}

void Decider::keep() {
  if (is_away_) {
    for (CachedWallet* wallet : touched_) wallet->is_away = false;
  }
  for (std::size_t i = 0; i < written_.size(); ++i) {
    written_[i]->links = plan_.wallets[i].after.links;
  }
}

void Decider::forget() {
  for (const CachedWallet* wallet : touched_) cache_.drop(wallet->number);
  touched_.clear();
  written_.clear();
}

}  // namespace mizan::engine
