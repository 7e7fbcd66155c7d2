// From attempt to attempt, until every request has its answer.

#include "mizan/reads.hpp"

#include "base/backoff.hpp"
#include "base/random.hpp"
#include "engine/attempt.hpp"
#include "engine/late.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mizan::engine {
namespace {

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

Deadline last_deadline(std::span<Request* const> requests) {
  Deadline last = Deadline::min();
  for (const Request* request : requests) last = std::max(last, request->deadline);
  return last;
}

/// What is recorded after a commit of unknown fate? True: everything that was tentatively applied,
/// as it was applied. One operation does not speak for the others.
Result<bool> was_committed(const Context& context, std::span<Request* const> requests) {
  auto snapshot = stored_snapshot_until(context.store, last_deadline(requests));
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
  options.unasked = false;
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
    if (!now_options_.unasked) await_alone();
    auto end = attempt(context_, cache_, waiting_, now_options_);
    now_options_.unasked = false;
    forget_gone(waiting_);
    if (waiting_.empty()) return Next::nothing;
    if (!end) return after_failure(end.error());
    if (*end == AttemptEnd::done) return Next::nothing;
    note(*end);
    if (*end == AttemptEnd::too_early) {
      if (options_.on_too_early) options_.on_too_early();
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
      case AttemptEnd::too_early:
        ++context_.counters.stale_cache_retries;
        return;
      case AttemptEnd::commit_unknown:
        in_doubt_ = true;
        note_doubt(waiting_);
        return;
    }
  }

  /// False: nobody has the time, and everybody is answered. Others are not kept waiting for it.
  bool pause() {
    await_alone();
    const auto next = backoff_.next(context_.clock.now(), now_options_.deadline);
    if (!next && !others_have_time()) {
      answer_all(waiting_, out_of_time("retry"));
      return false;
    }
    context_.clock.sleep_until(next.value_or(now_options_.deadline));
    return true;
  }

  void await_alone() const {
    if (options_.turn != nullptr) options_.turn->await_alone();
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
