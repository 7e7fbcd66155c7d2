#include "engine/direct.hpp"

#include "mizan/reads.hpp"

#include "base/backoff.hpp"
#include "base/random.hpp"
#include "domain/named_wallets.hpp"
#include "engine/late.hpp"
#include "engine/receipts.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

/// What the wallets are now, read outside any writing transaction and so without any lock.
Status read_ahead(const Context& context, const Request& request, WalletCache& cache) {
  std::vector<WalletId> ids;
  domain::visit_named_wallets(*request.operation,
                              [&ids](const WalletId& id) { ids.push_back(id); });
  if (ids.empty()) return {};
  auto snapshot = stored_snapshot_until(context.store, request.deadline);
  if (!snapshot) return std::move(snapshot).error();
  auto states = (*snapshot)->load_wallets(ids);
  if (!states) return std::move(states).error();
  for (const auto& state : *states) {
    if (state && cache.find(state->id) == nullptr) cache.put(*state);
  }
  return {};
}

Result<AttemptEnd> read_and_attempt(const Context& context, WalletCache& cache, Request& request) {
  if (auto status = read_ahead(context, request, cache); !status) {
    context.counters.note_failure(status.error());
    if (status.error().retry == Retry::now) return AttemptEnd::store_retry;
    return std::move(status).error();
  }
  context.step("read");
  Request* const requests[] = {&request};
  AttemptOptions options;
  options.deadline = request.deadline;
  return attempt(context, cache, requests, options);
}

Error contended(std::size_t attempts) {
  return {Code::contended,
          Certainty::not_applied,
          Retry::after_backoff,
          "optimistic",
          "every one of " + std::to_string(attempts) +
              " attempts lost its race with another writer; try again"};
}

/// How one optimistic attempt ended: `lost` to another writer, or to be tried `again` because the
/// database asks for it.
enum class Race : std::uint8_t { answered, lost, again };

Race race_once(const Context& context, Request& request) {
  WalletCache cache;
  auto end = read_and_attempt(context, cache, request);
  if (!end) {
    request.result = Result<Outcome>(std::move(end).error());
    return Race::answered;
  }
  switch (*end) {
    case AttemptEnd::done:
      break;
    case AttemptEnd::stale:
    case AttemptEnd::too_early:
      ++context.counters.optimistic_retries;
      return Race::lost;
    case AttemptEnd::store_retry:
      return Race::again;
    case AttemptEnd::commit_unknown:
      // The id says what became of it; the pessimistic path asks for it and finishes the job.
      apply_pessimistic(context, request, Doubt::commit_unknown);
      break;
  }
  return Race::answered;
}

}  // namespace

void apply_pessimistic(const Context& context, Request& request, Doubt doubt) {
  WalletCache cache;
  Request* const requests[] = {&request};
  AttemptOptions options;
  options.lock = LoadLock::update;
  options.in_doubt = doubt == Doubt::commit_unknown;
  run_to_answer(context, cache, requests, options);
}

void dry_run(const Context& context, std::span<Request* const> requests, Atomicity atomicity) {
  WalletCache cache;
  AttemptOptions options;
  options.dry_run = true;
  options.atomicity = atomicity;
  run_to_answer(context, cache, requests, options);
}

void apply_all_or_none(const Context& context, std::span<Request* const> requests) {
  WalletCache cache;
  AttemptOptions options;
  options.lock = LoadLock::update;
  options.atomicity = Atomicity::all_or_none;
  run_to_answer(context, cache, requests, options);
}

void answer_kept_back(const Context& context,
                      std::span<Request* const> requests,
                      const Request& cause) {
  Error error = cause.result->error();
  error.where = pointer_in_batch(cause.index, error.where);
  for (Request* request : requests) {
    auto known = look_up(context, *request);
    if (!known) {
      request->result = Result<Outcome>(std::move(known).error());
    } else if (*known && std::holds_alternative<AlreadyApplied>(**known)) {
      request->result = Result<Outcome>(**std::move(known));
    } else {
      request->result = Result<Outcome>(error);
    }
  }
}

void apply_optimistic(const Context& context, Request& request, std::size_t attempts_max) {
  Backoff backoff(system_random());
  std::size_t lost = 0;
  while (context.clock.now() < request.deadline) {
    const Race race = race_once(context, request);
    if (race == Race::answered) return;
    if (race == Race::lost && ++lost >= attempts_max) {
      request.result = Result<Outcome>(contended(lost));
      return;
    }
    const auto next = backoff.next(context.clock.now(), request.deadline);
    if (!next) break;
    context.clock.sleep_until(*next);
  }
  request.result = Result<Outcome>(out_of_time("optimistic"));
}

}  // namespace mizan::engine
