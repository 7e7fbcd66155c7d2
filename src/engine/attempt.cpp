#include "engine/attempt.hpp"

#include "mizan/reads.hpp"

#include "base/assert.hpp"
#include "engine/receipts.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

bool is_refused(const Request& request) {
  return std::holds_alternative<Refused>(**request.result);
}

/// The first refusal of an all-or-none batch, which then is the answer of all that it stopped.
const Request* first_refused(std::span<Request* const> requests) {
  for (const Request* request : requests) {
    if (is_refused(*request)) return request;
  }
  return nullptr;
}

/// What was applied before this batch stays so; a repeat of an item of the batch itself does not.
/// The others are told which item it was.
void answer_all_refused(std::span<Request* const> requests, const Request& cause) {
  Refusal refusal = *std::get<Refused>(**cause.result).refusal;
  refusal.pointer = pointer_in_batch(cause.index, refusal.pointer);
  const Result<Outcome> answer = refused(std::move(refusal));
  std::set<OperationId> undone;
  for (Request* request : requests) {
    if (std::holds_alternative<Applied>(**request->result)) undone.insert(request->operation->id);
  }
  for (Request* request : requests) {
    if (request == &cause) continue;
    const bool repeats = std::holds_alternative<AlreadyApplied>(**request->result);
    if (!repeats || undone.contains(request->operation->id)) request->result = answer;
  }
}

/// The revisions that nothing else checks: what refusals and conditions relied on.
Result<bool> relied_on_the_truth(Transaction& transaction,
                                 WalletCache& cache,
                                 const Decider& decider) {
  const auto states = decider.unchecked();
  if (states.empty()) return true;
  auto stale = transaction.find_stale(states);
  if (!stale) return std::move(stale).error();
  for (const WalletNumber number : *stale) cache.drop(number);
  return stale->empty();
}

struct Work {
  const Context& context;
  Transaction& transaction;
  WalletCache& cache;
  Decider& decider;
  std::span<Request* const> requests;
  const AttemptOptions& options;
};

/// How an error inside the transaction ends the attempt: asked for again now, or for good.
Result<AttemptEnd> end_of(const Work& work, Error error) {
  work.decider.forget();
  work.context.counters.note_failure(error);
  if (error.certainty == Certainty::unknown) return AttemptEnd::commit_unknown;
  if (error.retry == Retry::now) return AttemptEnd::store_retry;
  return error;
}

void note_failure(std::span<Request* const> requests, const Error& error) {
  for (Request* request : requests) {
    if (!request->gone) request->commit_failure = error.detail;
  }
}

/// What conditions looked at stays as it is until the commit: two transactions that each read the
/// other's wallet and write their own would otherwise both be applied. The wallets that will be
/// written are locked along with them, so that all are locked in one order.
Result<bool> hold_what_was_read(const Work& work) {
  const auto states = work.decider.to_be_held();
  if (states.empty()) return true;
  std::vector<WalletNumber> numbers;
  numbers.reserve(states.size() + work.decider.plan().wallets.size());
  for (const WalletState* state : states) numbers.push_back(state->number);
  for (const WalletChange& change : work.decider.plan().wallets) {
    numbers.push_back(change.after.number);
  }
  auto locked = work.transaction.load_wallets_by_number(numbers, LoadLock::update);
  if (!locked) return std::move(locked).error();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto& now = (*locked)[i];
    if (now && now->revision == states[i]->revision) continue;
    return false;
  }
  return true;
}

/// Writes the plan, which may be empty, and commits.
Result<WriteResult> write_and_commit(const Work& work, const std::function<void()>& at_commit) {
  Plan& plan = work.decider.plan();
  if (!plan.operations.empty()) {
    work.decider.finish_plan();
    auto is_current = hold_what_was_read(work);
    if (!is_current) return std::move(is_current).error();
    if (!*is_current) return WriteResult(WriteStale{});
    return work.transaction.write_and_commit(plan, at_commit);
  }
  at_commit();
  if (Status committed = work.transaction.commit(); !committed) {
    return std::move(committed).error();
  }
  return WriteResult(WritesDone{});
}

/// Where there is something to write.
Result<AttemptEnd> write_if_any(const Work& work, std::size_t expired) {
  if (!work.decider.plan().operations.empty() || expired > 0) {
    const auto& on_commit = work.options.on_commit;
    const std::size_t operations = work.decider.plan().operations.size();
    Turn* const turn = work.options.turn;
    if (turn != nullptr) {
      work.decider.give_away();
      turn->give();
    }
    bool has_begun = false;
    Instant began{};
    auto written = write_and_commit(work, [&] {
      has_begun = true;
      began = work.context.clock.now();
      if (on_commit) on_commit(CommitStep::begins);
    });
    if (turn != nullptr) turn->take_back();
    if (has_begun && on_commit) on_commit(CommitStep::ended);
    if (!written) {
      if (has_begun) note_failure(work.requests, written.error());
      return end_of(work, std::move(written).error());
    }
    if (!std::holds_alternative<WritesDone>(*written)) {
      work.decider.forget();
      const bool is_known = std::holds_alternative<WriteDuplicate>(*written);
      return is_known && work.options.unasked ? AttemptEnd::too_early : AttemptEnd::stale;
    }
    work.context.counters.note_commit_of(operations, work.context.clock.now() - began);
    work.context.counters.holds_expired += expired;
    work.decider.keep();
  }
  count(work.context.counters, work.requests);
  return AttemptEnd::done;
}

bool are_all_applied(std::span<Request* const> requests) {
  return std::all_of(requests.begin(), requests.end(), [](const Request* request) {
    return std::holds_alternative<Applied>(**request->result);
  });
}

/// Decides after having asked, or before: where all of them are to be applied nothing has to be
/// asked, because each id and each wallet is in the plan, and the write says which of them is known
/// or stale. Answers how many holds ended; nothing where it was too early to decide.
Result<std::optional<std::size_t>> decide(const Work& work) {
  Decider& decider = work.decider;
  decider.look(work.requests);
  const bool early = work.options.unasked && decider.knows_enough(work.requests);
  std::size_t expired = 0;
  if (!early) {
    auto ended = decider.start();
    if (!ended) return std::move(ended).error();
    expired = *ended;
  }
  if (auto status = decider.decide_all(work.requests); !status) return std::move(status).error();
  if (!early || are_all_applied(work.requests)) return std::optional(expired);
  auto stands = decider.confirm();
  if (!stands) return std::move(stands).error();
  if (!*stands) return std::optional<std::size_t>();
  return std::optional(expired);
}

Result<AttemptEnd> decide_and_write(const Work& work) {
  auto expired = decide(work);
  if (!expired) return end_of(work, std::move(expired).error());
  if (!*expired) {
    work.decider.forget();
    return AttemptEnd::too_early;
  }
  auto current = relied_on_the_truth(work.transaction, work.cache, work.decider);
  if (!current) return end_of(work, std::move(current).error());
  if (!*current) {
    work.decider.forget();
    return AttemptEnd::stale;
  }
  const bool all_or_none = work.options.atomicity == Atomicity::all_or_none;
  const Request* cause = all_or_none ? first_refused(work.requests) : nullptr;
  if (cause != nullptr) answer_all_refused(work.requests, *cause);
  if (cause == nullptr && !work.options.dry_run) return write_if_any(work, **expired);
  work.decider.forget();
  if (!work.options.dry_run) count(work.context.counters, work.requests);
  return AttemptEnd::done;
}

}  // namespace

void count(Counters& counters, std::span<Request* const> requests) {
  std::uint64_t applied = 0;
  std::uint64_t replayed = 0;
  std::uint64_t refused = 0;
  std::uint64_t stale_fences = 0;
  for (const Request* request : requests) {
    const Outcome& outcome = **request->result;
    applied += std::holds_alternative<Applied>(outcome) ? 1U : 0U;
    replayed += std::holds_alternative<AlreadyApplied>(outcome) ? 1U : 0U;
    if (const auto* refusal = std::get_if<Refused>(&outcome)) {
      ++refused;
      stale_fences += refusal->refusal->code == Code::stale_fence ? 1U : 0U;
    }
  }
  counters.operations_applied += applied;
  counters.operations_replayed += replayed;
  counters.operations_refused += refused;
  counters.fence_rejections += stale_fences;
}

void count_one(Counters& counters, const Outcome& outcome) {
  if (std::holds_alternative<Applied>(outcome)) ++counters.operations_applied;
  if (std::holds_alternative<AlreadyApplied>(outcome)) ++counters.operations_replayed;
  if (std::holds_alternative<Refused>(outcome)) ++counters.operations_refused;
}

Result<std::optional<Outcome>> look_up(const Context& context, const Request& request) {
  auto snapshot = stored_snapshot_until(context.store, request.deadline);
  if (!snapshot) return std::move(snapshot).error();
  auto recorded = (*snapshot)->find_operation(request.operation->id);
  if (!recorded) return std::move(recorded).error();
  if (!*recorded) return std::optional<Outcome>();
  auto answer = repeat_answer(**recorded, *request.operation, request.fingerprint);
  if (!answer) return std::move(answer).error();
  return std::optional<Outcome>(*std::move(answer));
}

Result<AttemptEnd> attempt(const Context& context,
                           WalletCache& cache,
                           std::span<Request* const> requests,
                           const AttemptOptions& options) {
  for (Request* request : requests) request->result.reset();
  auto transaction = context.store.begin(options.deadline);
  if (!transaction) {
    context.counters.note_failure(transaction.error());
    if (transaction.error().retry == Retry::now) return AttemptEnd::store_retry;
    return std::move(transaction).error();
  }
  static std::atomic<std::uint64_t> attempts{0};
  auto decider = std::make_unique<Decider>(
      **transaction, cache, ++attempts, context.clock.wall_now(), options.lock);
  auto end = decide_and_write({context, **transaction, cache, *decider, requests, options});
  const bool is_done = end && *end == AttemptEnd::done;
  if (is_done && options.remains != nullptr) *options.remains = std::move(decider);
  return end;
}

}  // namespace mizan::engine
