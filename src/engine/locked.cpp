#include "engine/locked.hpp"

#include "base/granted.hpp"
#include "base/ledger_resource.hpp"
#include "base/match.hpp"
#include "base/raisable_tokens.hpp"
#include "domain/refusals.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace mizan::engine {
namespace {

/// As LockService::acquire, with the time that it took.
Result<AcquireOutcome> acquire(const Context& context,
                               LockService& service,
                               AcquireRequest request) {
  const Instant began = context.clock.now();
  auto outcome = service.acquire(std::move(request));
  const auto duration = context.clock.now() - began;
  context.counters.lock_times.note(static_cast<std::uint64_t>(duration.count()));
  return outcome;
}

Result<std::vector<Lease>> acquire_all(const Context& context,
                                       const std::vector<Resource>& resources,
                                       const LedgerOptions& options,
                                       Deadline deadline) {
  std::vector<Lease> leases;
  leases.reserve(resources.size());
  for (const Resource& resource : resources) {
    AcquireRequest request;
    request.resource = resource;
    request.ttl = options.lock_ttl;
    request.wait_until = deadline;
    // Who goes on without the lock has nothing to wait for.
    if (options.lock_outage == LockOutage::proceed) request.outage_wait.emplace();
    auto outcome = acquire(context, *options.lock, std::move(request));
    if (!outcome) return not_begun(std::move(outcome).error());
    auto lease = granted(*std::move(outcome), resource);
    if (!lease) return std::move(lease).error();
    leases.push_back(*std::move(lease));
  }
  return leases;
}

/// The lease whose token the database found behind its mark, though the lease still stands: the one
/// for which the rules would say just that.
const Lease* find_stale(const Refusal& refusal,
                        const std::vector<Fence>& fences,
                        const std::vector<Lease>& leases) {
  if (!refusal.newest_token) return nullptr;
  const std::size_t first = fences.size() - leases.size();
  for (std::size_t i = 0; i < leases.size(); ++i) {
    const Refusal of_ours = domain::stale_fence(fences, first + i, *refusal.newest_token);
    if (of_ours.detail != refusal.detail) continue;
    return leases[i].state() == LeaseState::lost ? nullptr : &leases[i];
  }
  return nullptr;
}

/// A mark above the token of a lease that still stands was set under another lock service, or by a
/// holder whom a lock that lost its memory let in: the tokens go on above it, and the operation
/// may be tried under a new lease. False where nothing of that is so.
bool raise_tokens(LockService& service,
                  const std::vector<Fence>& fences,
                  const std::vector<Lease>& leases,
                  const Result<Outcome>& outcome) {
  const auto* refused = outcome ? std::get_if<Refused>(&*outcome) : nullptr;
  if (refused == nullptr || refused->refusal->code != Code::stale_fence) return false;
  const Refusal& refusal = *refused->refusal;
  auto* tokens = dynamic_cast<RaisableTokens*>(&service);
  const Lease* stale = find_stale(refusal, fences, leases);
  if (tokens == nullptr || stale == nullptr) return false;
  return tokens->raise_above(stale->resource(), *refusal.newest_token);
}

}  // namespace

std::vector<Resource> resources_of(const Operation& operation, LockScope scope) {
  std::vector<Resource> resources;
  const auto wallet = [&resources](const WalletId& id) {
    if (!id.empty()) resources.push_back(ledger_resource("wallet", id.view()));
  };
  std::visit(Match{[&](const Transfer& transfer) {
                     for (const Leg& leg : transfer.legs) {
                       wallet(leg.from);
                       if (scope == LockScope::both) wallet(leg.to);
                     }
                   },
                   [&](const Deposit& deposit) { wallet(deposit.wallet); },
                   [&](const Withdraw& withdraw) { wallet(withdraw.wallet); },
                   [&](const CreateHold& hold) { wallet(hold.wallet); },
                   [&](const CaptureHold& capture) {
                     resources.push_back(ledger_resource("hold", capture.hold.view()));
                   },
                   [&](const VoidHold& voided) {
                     resources.push_back(ledger_resource("hold", voided.hold.view()));
                   },
                   [&](const Reverse& reverse) {
                     resources.push_back(ledger_resource("operation", reverse.operation.view()));
                   }},
             operation.body);
  std::sort(resources.begin(), resources.end());
  resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
  // A token per lock travels with the operation: as many at most as callers may add themselves.
  if (resources.size() > fences_max) resources.resize(fences_max);
  return resources;
}

Result<Outcome> apply_locked(const Context& context,
                             const LedgerOptions& options,
                             const Request& request,
                             const ApplyFenced& apply) {
  // What is recorded already needs no lock.
  auto known = look_up(context, request);
  if (!known) return std::move(known).error();
  if (*known) {
    count_one(context.counters, **known);
    return **std::move(known);
  }

  const auto resources = resources_of(*request.operation, options.lock_scope);
  // Each lock may be behind its mark once; then a token is refused as anybody's would be.
  for (std::size_t raised = 0;; ++raised) {
    auto leases = acquire_all(context, resources, options, request.deadline);
    if (!leases) {
      const bool away = leases.error().code == Code::unavailable;
      if (away && options.lock_outage == LockOutage::proceed) return apply(*request.operation);
      return std::move(leases).error();
    }
    // Beside what the caller brought: nobody else's fence has the name of a lock of ours.
    Operation fenced = *request.operation;
    for (const Lease& lease : *leases) fenced.fences.push_back(lease.fence());
    Result<Outcome> outcome = apply(fenced);
    const bool again =
        raised < resources.size() && raise_tokens(*options.lock, fenced.fences, *leases, outcome);
    for (Lease& lease : *leases) {
      if (lease.state() == LeaseState::lost) ++context.counters.lock_losses;
      lease.release();
    }
    if (!again) return outcome;
  }
}

}  // namespace mizan::engine
