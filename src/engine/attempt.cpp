#include "engine/attempt.hpp"

#include "base/assert.hpp"
#include "base/backoff.hpp"
#include "base/random.hpp"
#include "engine/late.hpp"
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
void answer_all_refused(std::span<Request* const> requests, const Request& cause) {
  const Result<Outcome> answer = *cause.result;
  std::set<OperationId> undone;
  for (Request* request : requests) {
    if (std::holds_alternative<Applied>(**request->result)) undone.insert(request->operation->id);
  }
  for (Request* request : requests) {
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
    bool has_begun = false;
    Instant began{};
    auto written = write_and_commit(work, [&] {
      has_begun = true;
      began = work.context.clock.now();
      if (on_commit) on_commit(CommitStep::begins);
    });
    if (has_begun && on_commit) on_commit(CommitStep::ended);
    if (!written) {
      if (has_begun) note_failure(work.requests, written.error());
      return end_of(work, std::move(written).error());
    }
    if (!std::holds_alternative<WritesDone>(*written)) {
      work.decider.forget();
      return AttemptEnd::stale;
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
  const bool early = work.options.was_too_early != nullptr && decider.knows_enough(work.requests);
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
    return AttemptEnd::stale;
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

/// Is this record the one that our transaction wrote? The same operation may have been applied by
/// somebody else after ours was lost.
bool is_ours(const RecordedOperation& recorded, const Request& request, const Receipt& ours) {
  const auto same_leg = [](const LegReceipt& a, const LegReceipt& b) {
    return a.from_version == b.from_version && a.from_balance == b.from_balance &&
           a.to_version == b.to_version && a.to_balance == b.to_balance;
  };
  const Receipt& theirs = recorded.receipt;
  return !recorded.refusal && recorded.fingerprint == request.fingerprint &&
         theirs.applied_at == ours.applied_at &&
         std::equal(
             theirs.legs.begin(), theirs.legs.end(), ours.legs.begin(), ours.legs.end(), same_leg);
}

/// What is recorded after a commit of unknown fate? True: everything that was tentatively applied,
/// as it was applied. One operation does not speak for the others.
Result<bool> was_committed(const Context& context, std::span<Request* const> requests) {
  auto snapshot = context.store.snapshot();
  if (!snapshot) return std::move(snapshot).error();
  bool any = false;
  for (const Request* request : requests) {
    if (!request->result || !*request->result) continue;
    const auto* applied = std::get_if<Applied>(&**request->result);
    if (applied == nullptr) continue;
    auto recorded = (*snapshot)->find_operation(request->operation->id);
    if (!recorded) return std::move(recorded).error();
    if (!*recorded || !is_ours(**recorded, *request, applied->receipt)) return false;
    any = true;
  }
  return any;
}

/// To be called while the results are those of a commit of unknown fate. That nothing is recorded
/// yet proves little: the commit may still be under way, or come back from a log after a crash.
void note_doubt(std::span<Request* const> requests) {
  for (Request* request : requests) {
    const bool decided = request->result && *request->result;
    if (decided && std::holds_alternative<Applied>(**request->result)) {
      request->may_be_applied = true;
    }
  }
}

void answer_failed(Request& request, const Error& error) {
  const bool doubtful = request.may_be_applied;
  request.result = Result<Outcome>(doubtful ? commit_unknown(request.commit_failure) : error);
}

void answer_all(std::span<Request* const> requests, const Error& error) {
  for (Request* request : requests) answer_failed(*request, error);
}

/// Answers those whose deadline has passed and leaves the others.
std::vector<Request*> in_time(std::span<Request* const> requests,
                              Instant now,
                              const AttemptOptions& options) {
  std::vector<Request*> rest;
  std::vector<Request*> late;
  for (Request* request : requests) {
    const bool has_time = request->deadline > now;
    (has_time ? rest : late).push_back(request);
  }
  if (late.empty()) return rest;
  WorkUnderWay others;
  for (const Request* request : rest) others.add(*request);
  for (Request* request : late) answer_failed(*request, others.answer_late(*request, "deadline"));
  if (options.on_late) options.on_late(late);
  return rest;
}

Deadline first_deadline(std::span<Request* const> requests) {
  Deadline first = Deadline::max();
  for (const Request* request : requests) first = std::min(first, request->deadline);
  return first;
}

Deadline last_deadline(std::span<Request* const> requests) {
  Deadline last = Deadline::min();
  for (const Request* request : requests) last = std::max(last, request->deadline);
  return last;
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
  auto snapshot = context.store.snapshot();
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

namespace {

/// An alarm of the store's second net says that one of many operations is wrong in itself; the
/// others must not suffer for it.
bool is_poisoned(const Error& error,
                 std::span<Request* const> requests,
                 const AttemptOptions& options) {
  return error.code == Code::internal && requests.size() > 1 &&
         options.atomicity == Atomicity::independent;
}

void count_resolved(Counters& counters, std::span<Request* const> requests) {
  ++counters.unknown_commits_resolved;
  counters.note_commit();
  count(counters, requests);
}

/// Those whose callers were answered during the COMMIT.
void forget_gone(std::vector<Request*>& requests) {
  std::erase_if(requests, [](const Request* request) { return request->gone; });
}

void answer_one_by_one(const Context& context,
                       WalletCache& cache,
                       std::span<Request* const> requests,
                       AttemptOptions options) {
  options.on_late = {};  // Everybody is answered at the end.
  options.remains = nullptr;
  options.was_too_early = nullptr;
  for (Request* request : requests) {
    run_to_answer(context, cache, std::span(&request, 1), options);
  }
}

/// Some requests on their way to their answers, over as many attempts as it takes.
class WayToAnswer {
 public:
  WayToAnswer(const Context& context,
              WalletCache& cache,
              std::span<Request* const> requests,
              const AttemptOptions& options)
      : context_(context),
        cache_(cache),
        options_(options),
        now_options_(options),
        waiting_(requests.begin(), requests.end()),
        in_doubt_(options.in_doubt),
        backoff_(system_random()) {}

  void go() {
    forget_gone(waiting_);
    if (in_doubt_) note_doubt(waiting_);
    while (true) {
      const Next next = step();
      if (next == Next::nothing) return;
      if (next == Next::pause && !pause()) return;
    }
  }

 private:
  enum class Next : std::uint8_t { nothing, step, pause };

  Next step() {
    if (in_doubt_ && is_resolved()) return Next::nothing;
    waiting_ = in_time(waiting_, context_.clock.now(), options_);
    if (waiting_.empty()) return Next::nothing;
    last_deadline_ = last_deadline(waiting_);
    // Nobody waits for the database longer than the most hurried of them may.
    now_options_.deadline = first_deadline(waiting_);
    return in_doubt_ ? Next::pause : attempt_once();
  }

  /// Asks about the commit of unknown fate. Where it left nothing, another attempt may begin.
  bool is_resolved() {
    auto committed = was_committed(context_, waiting_);
    in_doubt_ = !committed;
    if (committed && !*committed) ++context_.counters.unknown_retries;
    if (!committed || !*committed) return false;
    count_resolved(context_.counters, waiting_);
    return true;
  }

  Next attempt_once() {
    auto end = attempt(context_, cache_, waiting_, now_options_);
    forget_gone(waiting_);
    if (waiting_.empty()) return Next::nothing;
    if (!end) return after_failure(end.error());
    if (*end == AttemptEnd::done) return Next::nothing;
    note(*end);
    if (*end == AttemptEnd::stale && now_options_.was_too_early != nullptr) {
      *std::exchange(now_options_.was_too_early, nullptr) = true;
      return Next::step;
    }
    now_options_.lock = LoadLock::update;
    return Next::pause;
  }

  Next after_failure(const Error& error) {
    if (others_have_time() && context_.clock.now() >= now_options_.deadline) return Next::step;
    if (is_poisoned(error, waiting_, options_)) {
      answer_one_by_one(context_, cache_, waiting_, options_);
    } else {
      answer_all(waiting_, error);
    }
    return Next::nothing;
  }

  void note(AttemptEnd end) {
    switch (end) {
      case AttemptEnd::done:
      case AttemptEnd::store_retry:  // Counted where it came up.
        return;
      case AttemptEnd::stale:
        ++context_.counters.stale_cache_retries;
        return;
      case AttemptEnd::commit_unknown:
        in_doubt_ = true;
        note_doubt(waiting_);
        return;
    }
  }

  /// False: nobody has the time, and everybody is answered.
  bool pause() {
    const auto next = backoff_.next(context_.clock.now(), now_options_.deadline);
    if (!next && !others_have_time()) {
      answer_all(waiting_, out_of_time("retry"));
      return false;
    }
    context_.clock.sleep_until(next.value_or(now_options_.deadline));
    return true;
  }

  /// Does somebody have more time than the most hurried?
  [[nodiscard]] bool others_have_time() const { return now_options_.deadline < last_deadline_; }

  const Context& context_;
  WalletCache& cache_;
  const AttemptOptions& options_;
  AttemptOptions now_options_;
  std::vector<Request*> waiting_;
  bool in_doubt_;
  Backoff backoff_;
  Deadline last_deadline_ = Deadline::max();  // Of those that the step began with.
};

}  // namespace

void run_to_answer(const Context& context,
                   WalletCache& cache,
                   std::span<Request* const> requests,
                   const AttemptOptions& options) {
  WayToAnswer(context, cache, requests, options).go();
}

}  // namespace mizan::engine
