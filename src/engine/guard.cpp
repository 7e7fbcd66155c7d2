#include "mizan/guard.hpp"

#include "base/backoff.hpp"
#include "base/granted.hpp"
#include "base/hash.hpp"
#include "base/ledger_resource.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace mizan {
namespace {

constexpr auto default_patience = std::chrono::seconds(30);
constexpr std::size_t result_size_max = 65'536;

/// How one guarded transaction ended, short of an error that is final.
struct TryAgain {};

struct CommitUnknown {};

using AttemptEnd = std::variant<GuardOutcome, TryAgain, CommitUnknown>;

Error contended(std::size_t attempts) {
  return {Code::contended,
          Certainty::not_applied,
          Retry::after_backoff,
          "guard",
          "the database asked to repeat the transaction " + std::to_string(attempts) +
              " times; try again later"};
}

Error commit_unknown() {
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          "guard",
          "the fate of the COMMIT could not be learnt; repeat with the same id"};
}

Error lease_too_short() {
  return {Code::lock_busy,
          Certainty::not_applied,
          Retry::after_backoff,
          "guard",
          "the lock was lost, or too little of it was left to commit under it; nothing was kept"};
}

/// Its locks and fences are the user's; what the ledger takes for itself is none of them.
Status check_names(const GuardRequest& request) {
  if (request.resource && is_ledger_resource(*request.resource)) {
    return invalid_request("resource", std::string(ledger_resource_rule));
  }
  for (const Fence& fence : request.fences) {
    if (!is_ledger_resource(fence.resource)) continue;
    return invalid_request("fences", std::string(ledger_resource_rule));
  }
  return {};
}

GuardOutcome replay(const GuardRecord& record, const Fingerprint& fingerprint) {
  if (record.fingerprint != fingerprint) return GuardMismatch{};
  return GuardReplayed{record.result};
}

Result<std::optional<Lease>> acquire(const GuardRequest& request,
                                     const GuardOptions& options,
                                     Deadline deadline) {
  if (!request.resource || options.lock == nullptr || !options.lock->excludes()) {
    return std::optional<Lease>();
  }
  AcquireRequest acquire;
  acquire.resource = *request.resource;
  acquire.ttl = request.ttl;
  acquire.wait_until = deadline;
  // Who goes on without the lock has nothing to wait for.
  if (options.lock_outage == LockOutage::proceed) acquire.outage_wait.emplace();
  auto outcome = options.lock->acquire(std::move(acquire));
  if (!outcome) {
    Error error = not_begun(std::move(outcome).error());
    const bool away = error.code == Code::unavailable;
    if (away && options.lock_outage == LockOutage::proceed) return std::optional<Lease>();
    return error;
  }
  auto lease = granted(*std::move(outcome), *request.resource);
  if (!lease) return std::move(lease).error();
  return std::optional<Lease>(*std::move(lease));
}

/// An error of the database that repeating the whole transaction may cure, or one for good.
Result<AttemptEnd> end_of(Error error) {
  if (error.certainty == Certainty::unknown) return AttemptEnd(CommitUnknown{});
  if (error.retry == Retry::now) return AttemptEnd(TryAgain{});
  return error;
}

/// The user's code may throw; what it throws goes no further than here.
Result<std::string> run_work(const GuardedWork& work, SqlSession& sql) {
  try {
    return work(sql);
  } catch (const std::exception& thrown) {
    return internal_error("guard",
                          std::string("the work threw: ") + thrown.what() + "; nothing was kept");
  } catch (...) {
    return internal_error("guard",
                          "the work threw something that is no std::exception; nothing was kept");
  }
}

bool names(const FencesStale& stale, const Resource& resource) {
  return std::any_of(stale.fences.begin(),
                     stale.fences.end(),
                     [&resource](const StaleFence& fence) { return fence.resource == resource; });
}

struct Attempt {
  GuardTable& table;
  const Clock& clock;
  const GuardRequest& request;
  const GuardedWork& work;
  const Fingerprint& fingerprint;
  std::span<const Fence> fences;
  Lease* lease;
  std::chrono::milliseconds margin;
  Deadline deadline;

  [[nodiscard]] Result<AttemptEnd> run() const {
    const auto until = begin_until();
    if (!until) return lease_too_short();
    auto transaction = table.begin(*until);
    if (!transaction) return end_of(std::move(transaction).error());
    auto admission = (*transaction)->admit(request.id, fingerprint, fences);
    if (!admission) return end_of(std::move(admission).error());
    if (const auto* record = std::get_if<GuardRecord>(&*admission)) {
      return AttemptEnd(replay(*record, fingerprint));
    }
    if (auto* stale = std::get_if<FencesStale>(&*admission)) {
      if (lease != nullptr && names(*stale, lease->resource())) lease->report_fence_rejected();
      return AttemptEnd(GuardOutcome(GuardStale{std::move(stale->fences)}));
    }
    auto result = run_work(work, (*transaction)->sql());
    if (!result) return end_of(std::move(result).error());
    if (result->size() > result_size_max) {
      return invalid_request("guard", "the work's result is larger than 64 KiB");
    }
    auto stored = (*transaction)->store_result(request.id, *result);
    if (!stored) return end_of(std::move(stored).error());
    if (lease != nullptr && lease->remaining() < margin) return lease_too_short();
    if (auto status = (*transaction)->commit(); !status) return end_of(std::move(status).error());
    return AttemptEnd(GuardOutcome(GuardApplied{*std::move(result)}));
  }

 private:
  /// How long to wait for the writer's turn: no longer than the lease could still be committed
  /// under. Nothing where it could not be any more.
  [[nodiscard]] std::optional<Deadline> begin_until() const {
    if (lease == nullptr) return deadline;
    const auto left = lease->remaining();
    if (left <= margin) return std::nullopt;
    return std::min<Deadline>(deadline, clock.now() + (left - margin));
  }
};

/// Attempts until one has an answer, each in a transaction of its own.
class Attempts {
 public:
  Attempts(const Attempt& attempt, std::size_t tries_max)
      : attempt_(attempt), tries_max_(tries_max) {}

  [[nodiscard]] Result<GuardOutcome> run() {
    Backoff backoff(system_random());
    while (in_doubt_ || tries_ < tries_max_) {
      auto answer = in_doubt_ ? ask_the_id() : try_once();
      if (answer) return *std::move(answer);
      const auto next = backoff.next(attempt_.clock.now(), attempt_.deadline);
      if (!next) break;
      attempt_.clock.sleep_until(*next);
    }
    return may_be_applied_ ? commit_unknown() : contended(tries_max_);
  }

 private:
  using Answer = std::optional<Result<GuardOutcome>>;

  /// What became of the commit of unknown fate? Where nothing is recorded another try may begin.
  [[nodiscard]] Answer ask_the_id() {
    auto record = attempt_.table.find(attempt_.request.id);
    in_doubt_ = !record;
    if (!record || !*record) return std::nullopt;
    // Ours was committed unless somebody else's came first; the record says which.
    if ((*record)->fingerprint != attempt_.fingerprint) return GuardOutcome(GuardMismatch{});
    return GuardOutcome(GuardApplied{std::move((*record)->result)});
  }

  [[nodiscard]] Answer try_once() {
    ++tries_;
    auto end = attempt_.run();
    if (!end) return failed(std::move(end).error());
    if (auto* outcome = std::get_if<GuardOutcome>(&*end)) return std::move(*outcome);
    in_doubt_ = std::holds_alternative<CommitUnknown>(*end);
    may_be_applied_ = may_be_applied_ || in_doubt_;
    return std::nullopt;
  }

  /// What an attempt met says nothing of an earlier commit of unknown fate.
  [[nodiscard]] Error failed(Error error) const {
    if (!may_be_applied_) return error;
    Error unknown = commit_unknown();
    unknown.detail += "; since then: " + error.detail;
    return unknown;
  }

  const Attempt& attempt_;
  std::size_t tries_max_;
  std::size_t tries_ = 0;
  bool in_doubt_ = false;
  bool may_be_applied_ = false;  // Since a commit of unknown fate, which may still come to light.
};

}  // namespace

Guard::Guard(Store& store, const Clock& clock, GuardOptions options)
    : store_(store), clock_(clock), options_(options) {}

Result<GuardOutcome> Guard::run(const GuardRequest& request, const GuardedWork& work) {
  GuardTable* table = store_.guards();
  if (table == nullptr) {
    return invalid_request("guard", "this store speaks no SQL: the guard needs one that does");
  }
  if (auto id = parse_operation_id(request.id.view()); !id) return std::move(id).error();
  if (auto names = check_names(request); !names) return std::move(names).error();
  const Deadline deadline =
      request.deadline == Deadline::max() ? clock_.now() + default_patience : request.deadline;
  const Fingerprint fingerprint = blake2b_128(std::as_bytes(std::span(request.content)));
  auto known = table->find(request.id);
  if (!known) return std::move(known).error();
  if (*known) return replay(**known, fingerprint);

  auto lease = acquire(request, options_, deadline);
  if (!lease) return std::move(lease).error();
  std::vector<Fence> fences = request.fences;
  if (*lease) fences.push_back((*lease)->fence());
  const Attempt attempt{*table,
                        clock_,
                        request,
                        work,
                        fingerprint,
                        fences,
                        *lease ? &**lease : nullptr,
                        options_.commit_margin,
                        deadline};
  return Attempts(attempt, options_.attempts_max).run();
}

}  // namespace mizan
