#include "mizan/ledger.hpp"

#include "domain/fingerprint.hpp"
#include "engine/admin.hpp"
#include "engine/counters.hpp"
#include "engine/direct.hpp"
#include "engine/event_feed.hpp"
#include "engine/group_commit.hpp"
#include "engine/locked.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mizan {
namespace {

constexpr auto default_patience = std::chrono::seconds(30);
constexpr std::size_t batch_items_max = 10'000;

Error queue_full() {
  return unavailable("group commit",
                     "too many operations are waiting for their commit; nothing was applied, try "
                     "again in a moment");
}

}  // namespace

using engine::Job;
using engine::Request;

class Ledger::Impl {
 public:
  Impl(Store& store, const Clock& clock, LedgerOptions options)
      : options_(std::move(options)),
        events_(store, clock),
        context_{store, clock, counters_, options_.on_step},
        commits_(context_, options_) {
    counters_.events = &events_;
    // A service that keeps nobody out has tokens that mean nothing: no lock is what it is.
    if (options_.lock != nullptr && !options_.lock->excludes()) options_.lock = nullptr;
  }

  [[nodiscard]] Deadline deadline(const CallOptions& call) const {
    if (call.deadline != Deadline::max()) return call.deadline;
    return context_.clock.now() + default_patience;
  }

  [[nodiscard]] CallOptions with_deadline(CallOptions call) const {
    call.deadline = deadline(call);
    return call;
  }

  [[nodiscard]] Strategy strategy(const CallOptions& call) const {
    return call.strategy.value_or(options_.strategy);
  }

  [[nodiscard]] Request make_request(const Operation& operation,
                                     const CallOptions& call,
                                     Deadline until) const {
    Request request;
    request.operation = &operation;
    request.fingerprint = domain::fingerprint_of(operation);
    request.refusals = call.refusals.value_or(options_.refusals);
    request.deadline = until;
    if (auto form = check_form(operation); !form) {
      request.result = Result<Outcome>(std::move(form).error());
    }
    return request;
  }

  [[nodiscard]] Result<Outcome> apply(const Operation& operation, const CallOptions& call) {
    Request request = make_request(operation, call, deadline(call));
    if (request.result) return *std::move(request.result);
    if (call.dry_run) {
      Request* const requests[] = {&request};
      engine::dry_run(context_, requests, Atomicity::independent);
      return *std::move(request.result);
    }
    if (options_.lock == nullptr) return apply_unlocked(request, call);
    return engine::apply_locked(context_, options_, request, [&](const Operation& fenced) {
      Request inner = request;
      inner.operation = &fenced;
      return apply_unlocked(inner, call);
    });
  }

  [[nodiscard]] std::vector<Result<Outcome>> apply_batch(std::span<const Operation> operations,
                                                         Atomicity atomicity,
                                                         const CallOptions& call) {
    if (operations.empty()) return {};
    if (operations.size() > batch_items_max) {
      return {operations.size(),
              invalid_request("/operations", "a batch has at most 10,000 operations")};
    }
    const Deadline until = deadline(call);
    std::vector<Request> requests;
    requests.reserve(operations.size());
    for (const Operation& operation : operations) {
      requests.push_back(make_request(operation, call, until));
      requests.back().index = requests.size() - 1;
    }
    if (atomicity == Atomicity::independent && !call.dry_run && options_.lock == nullptr &&
        strategy(call) == Strategy::batched) {
      apply_grouped(requests, call);
    } else {
      apply_each(requests, atomicity, call);
    }
    std::vector<Result<Outcome>> results;
    results.reserve(requests.size());
    for (Request& request : requests) results.push_back(*std::move(request.result));
    return results;
  }

  void submit(Operation operation, const CallOptions& call, CompletionHandler handler) {
    struct Submission {
      Operation operation;
      Job job;
      CompletionHandler handler;
    };

    auto submission = std::make_shared<Submission>();
    submission->operation = std::move(operation);
    submission->handler = std::move(handler);
    Request request = make_request(submission->operation, call, deadline(call));
    if (request.result) return submission->handler(*std::move(request.result));
    submission->job.requests.push_back(std::move(request));
    submission->job.dry_run = call.dry_run;
    submission->job.done = [raw = submission.get()](Job& job) { raw->handler(job.take_answer(0)); };
    // The job shares the submission's lifetime.
    if (!commits_.push(std::shared_ptr<Job>(submission, &submission->job))) {
      submission->handler(queue_full());
    }
  }

  [[nodiscard]] engine::EventFeed& events() noexcept { return events_; }

  [[nodiscard]] const engine::Context& context() const noexcept { return context_; }

  [[nodiscard]] LedgerCounters counters() const {
    LedgerCounters counters = counters_.read();
    counters.operations_waiting = commits_.waiting();
    return counters;
  }

 private:
  [[nodiscard]] Result<Outcome> apply_unlocked(Request& request, const CallOptions& call) {
    switch (strategy(call)) {
      case Strategy::batched:
        return apply_batched(request, call);
      case Strategy::atomic:
        engine::apply_atomic(context_, request);
        break;
      case Strategy::optimistic:
        engine::apply_optimistic(context_, request, options_.optimistic_attempts_max);
        break;
      case Strategy::pessimistic:
        engine::apply_pessimistic(context_, request);
        break;
    }
    return *std::move(request.result);
  }

  /// Hands the request to the writing thread and waits for its answer, which comes by the deadline.
  /// Once it is there nobody looks at the operation any more.
  [[nodiscard]] Result<Outcome> apply_batched(Request& request, const CallOptions& call) {
    std::vector<Request> requests;
    requests.push_back(std::move(request));
    apply_grouped(requests, call);
    return *std::move(requests.front().result);
  }

  /// Requests that have their answer already (a malformed one) are left out.
  void apply_grouped(std::vector<Request>& requests, const CallOptions& call) {
    const auto has_answer = [](const Request& request) { return request.result.has_value(); };
    if (std::none_of(requests.begin(), requests.end(), has_answer)) {
      return apply_together(requests, call);
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!requests[i].result) places.push_back(i);
    }
    if (places.empty()) return;
    std::vector<Request> well_formed;
    well_formed.reserve(places.size());
    for (const std::size_t place : places) well_formed.push_back(requests[place]);
    apply_together(well_formed, call);
    for (std::size_t i = 0; i < places.size(); ++i) {
      requests[places[i]].result = std::move(well_formed[i].result);
    }
  }

  void apply_together(std::vector<Request>& requests, const CallOptions& call) {
    auto job = std::make_shared<Job>();
    job->is_patient = call.deadline == Deadline::max();
    job->requests = std::exchange(requests, {});
    if (!commits_.run(job)) {
      for (Request& request : job->requests) request.result = Result<Outcome>(queue_full());
    }
    if (job->late.empty()) {
      requests = std::move(job->requests);
      return;
    }
    // The requests may still be in the hands of the writing thread.
    requests.resize(job->late.size());
    for (std::size_t i = 0; i < requests.size(); ++i) requests[i].result = job->take_answer(i);
  }

  /// Batches that cannot go to the group commit: all or none, dry runs, locks, other strategies.
  void apply_each(std::vector<Request>& requests, Atomicity atomicity, const CallOptions& call) {
    if (atomicity == Atomicity::independent && !call.dry_run) {
      for (Request& request : requests) {
        if (!request.result) request.result = apply(*request.operation, call);
      }
      return;
    }
    std::vector<Request*> pointers;
    const Request* malformed = nullptr;  // The first.
    for (Request& request : requests) {
      if (!request.result) pointers.push_back(&request);
      if (request.result && malformed == nullptr) malformed = &request;
    }
    if (malformed != nullptr && atomicity == Atomicity::all_or_none) {
      engine::answer_kept_back(context_, pointers, *malformed);
    } else if (call.dry_run) {
      engine::dry_run(context_, pointers, atomicity);
    } else {
      engine::apply_all_or_none(context_, pointers);
    }
  }

  LedgerOptions options_;
  engine::Counters counters_;
  engine::EventFeed events_;
  engine::Context context_;
  engine::GroupCommit commits_;  // Last: its thread uses everything above.
};

Ledger::Ledger(Store& store, const Clock& clock, LedgerOptions options)
    : impl_(std::make_unique<Impl>(store, clock, std::move(options))) {}

Ledger::~Ledger() = default;

Result<Outcome> Ledger::apply(const Operation& operation, const CallOptions& options) {
  return impl_->apply(operation, options);
}

std::vector<Result<Outcome>> Ledger::apply_batch(std::span<const Operation> operations,
                                                 Atomicity atomicity,
                                                 const CallOptions& options) {
  return impl_->apply_batch(operations, atomicity, options);
}

void Ledger::submit(Operation operation, CallOptions options, CompletionHandler handler) {
  impl_->submit(std::move(operation), options, std::move(handler));
}

Result<WalletCreated> Ledger::create_wallet(const NewWallet& wallet, const CallOptions& options) {
  return engine::create_wallet(impl_->context(), wallet, impl_->with_deadline(options));
}

Result<std::variant<Wallet, Refusal>> Ledger::patch_wallet(const WalletId& id,
                                                           const WalletPatch& patch,
                                                           const CallOptions& options) {
  return engine::patch_wallet(impl_->context(), id, patch, impl_->with_deadline(options));
}

Result<bool> Ledger::add_currency(const Currency& currency, const CallOptions& options) {
  return engine::add_currency(impl_->context(), currency, impl_->with_deadline(options));
}

Result<std::size_t> Ledger::expire_holds(const CallOptions& options) {
  return engine::expire_holds(impl_->context(), impl_->deadline(options));
}

Result<std::unique_ptr<Snapshot>> Ledger::snapshot() {
  return snapshot_at(impl_->context().store, impl_->context().clock.wall_now());
}

Result<std::optional<Currency>> Ledger::find_currency(const CurrencyCode& code) {
  return engine::find_currency(impl_->context().store, code);
}

Result<EventPage> Ledger::read_events(const EventQuery& query) {
  return impl_->events().read(query);
}

Result<EventPage> Ledger::wait_for_events(const EventQuery& query, Deadline deadline) {
  return impl_->events().wait(query, deadline);
}

void Ledger::watch_events(EventPlace after, Deadline deadline, std::function<void()> handler) {
  impl_->events().watch(after, deadline, std::move(handler));
}

LedgerCounters Ledger::counters() const {
  return impl_->counters();
}

}  // namespace mizan
