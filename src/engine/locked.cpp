#include "engine/locked.hpp"

#include "base/granted.hpp"
#include "base/ledger_resource.hpp"
#include "base/match.hpp"

#include <algorithm>
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
  auto known = look_up(context, request);
  if (!known) return std::move(known).error();
  if (*known) {
    count_one(context.counters, **known);
    return **std::move(known);
  }

  Operation fenced = *request.operation;
  const auto resources = resources_of(fenced, options.lock_scope);
  auto leases = acquire_all(context, resources, options, request.deadline);
  if (!leases) {
    const bool away = leases.error().code == Code::unavailable;
    if (away && options.lock_outage == LockOutage::proceed) return apply(fenced);
    return std::move(leases).error();
  }
  // Beside what the caller brought: nobody else's fence has the name of a lock of ours.
  for (const Lease& lease : *leases) fenced.fences.push_back(lease.fence());
  Result<Outcome> outcome = apply(fenced);
  for (Lease& lease : *leases) {
    if (lease.state() == LeaseState::lost) ++context.counters.lock_losses;
    lease.release();
  }
  return outcome;
}

}  // namespace mizan::engine
