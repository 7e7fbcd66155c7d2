#include "lock/core/table_lock.hpp"

#include "base/random.hpp"
#include "lock/core/guarded_call.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mizan {

LockService::~LockService() = default;

Result<bool> LockService::renew_within(const Resource& resource,
                                       const LockOwner& owner,
                                       std::chrono::milliseconds ttl,
                                       std::chrono::milliseconds /*limit*/) {
  return renew(resource, owner, ttl);
}

Result<bool> LockService::release_within(const Resource& resource,
                                         const LockOwner& owner,
                                         std::chrono::milliseconds /*limit*/) {
  return release(resource, owner);
}

namespace lock {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds ttl_min{50};
constexpr milliseconds ttl_max = std::chrono::hours{1};
constexpr milliseconds lifetime_default = std::chrono::hours{1};
constexpr milliseconds lifetime_longest = std::chrono::hours{24 * 365};
constexpr milliseconds poll_first{10};
constexpr milliseconds poll_longest{100};

/// However near the caller's deadline is, the table is asked once, and has this long.
constexpr milliseconds exchange_shortest{100};

LockOwner random_owner() {
  std::array<std::byte, 16> bytes{};
  system_random().fill(bytes);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<std::size_t>(byte >> 4U)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{0x0f})];
  }
  return LockOwner(text);
}

/// Between half of the pause and all of it, so that waiters do not come in step.
milliseconds jittered(milliseconds pause) {
  const auto half = static_cast<std::uint64_t>(pause.count()) / 2;
  return pause - milliseconds{static_cast<std::int64_t>(system_random().below(half + 1))};
}

std::optional<Error> problem_of(const Resource& resource, milliseconds ttl) {
  if (resource.empty()) return invalid_request("lock", "resource: must not be empty");
  if (ttl < ttl_min || ttl > ttl_max) {
    return invalid_request(
        "lock", "ttl: " + std::to_string(ttl.count()) + " ms is not within 50 ms and 1 h");
  }
  return std::nullopt;
}

std::optional<Error> problem_of(const AcquireRequest& request) {
  if (request.lifetime_max && *request.lifetime_max <= milliseconds::zero()) {
    return invalid_request("lock: acquire", "lifetime_max: must be more than 0 ms");
  }
  return problem_of(request.resource, request.ttl);
}

/// An answer that comes later than the TTL is of no use to anybody. Whoever goes on without the
/// lock when there is none to be had needs time to do so.
milliseconds patience_of(const AcquireRequest& request, Instant sent) {
  const Instant useless = sent + request.ttl;
  const Instant wanted = request.wait_until.value_or(request.answer_by.value_or(useless));
  const Instant end = std::clamp(wanted, sent, useless);
  const nanoseconds left = request.outage_wait ? (end - sent) / 2 : end - sent;
  return std::max(std::chrono::ceil<milliseconds>(left), exchange_shortest);
}

/// It was perhaps granted: nobody may be told that somebody else holds the lock, or nobody.
bool is_in_doubt(const Result<LeaseAttempt>& answer) {
  return !answer && answer.error().certainty == Certainty::unknown;
}

Error answered_too_late(milliseconds ttl, nanoseconds took) {
  const auto took_ms = std::chrono::ceil<milliseconds>(took).count();
  return unavailable("lock: acquire",
                     "the lock service took " + std::to_string(took_ms) + " ms of a lease of " +
                         std::to_string(ttl.count()) +
                         " ms to answer; too little is left to work with");
}

}  // namespace

TableLock::TableLock(std::string name, LeaseTable& table, const Clock& clock)
    : name_(std::move(name)),
      table_(table),
      clock_(clock),
      keeper_(std::make_shared<LeaseKeeper>(table, clock)),
      renewing_([keeper = keeper_] { keeper->run_renewals(); }),
      watching_([keeper = keeper_] { keeper->run_watch(); }) {}

TableLock::~TableLock() {
  keeper_->shut_down();
}

Result<AcquireOutcome> TableLock::acquire(AcquireRequest request) {
  if (auto problem = problem_of(request)) return std::move(*problem);
  const bool owner_stated = !request.owner.empty();
  if (!owner_stated) request.owner = random_owner();
  // Wanted after `request` has been moved from.
  const Resource resource = request.resource;
  const LockOwner owner = request.owner;
  bool may_hold = false;
  auto outcome = wait_and_acquire(request, may_hold);
  // A lost reply may have been a grant. Whoever stated an owner repeats it and finds the grant;
  // nobody else could, so it is given back instead of keeping everybody out for a TTL.
  if (may_hold && !owner_stated) keeper_->release_later(resource, owner);
  return outcome;
}

Result<AcquireOutcome> TableLock::wait_and_acquire(AcquireRequest& request, bool& may_hold) {
  milliseconds poll = poll_first;
  std::optional<LeaseHeld> heard;
  std::optional<Error> doubt;
  const Instant began_at = clock_.now();
  while (true) {
    if (request.wait_until && request.cancel.stop_requested()) return {LockWaitCancelled{}};
    const Instant sent = clock_.now();
    const milliseconds patience = patience_of(request, sent);
    const Result<LeaseAttempt> answer = guarded_call([&] {
      return table_.acquire_within(request.resource, request.owner, request.ttl, patience);
    });
    may_hold = !answer.has_value();
    if (answer) doubt.reset();
    if (is_in_doubt(answer)) doubt = answer.error();
    if (auto verdict = judge(request, answer, {sent, heard, doubt})) return std::move(*verdict);
    const auto* const held = answer ? std::get_if<LeaseHeld>(&*answer) : nullptr;
    heard = held == nullptr ? std::nullopt : std::optional(*held);
    const auto outage = request.outage_wait;
    if (!answer && outage && clock_.now() - began_at >= *outage) {
      return doubt.value_or(answer.error());
    }
    wait(request, answer, jittered(poll));
    poll = std::min(poll * 2, poll_longest);
  }
}

TableLock::Verdict TableLock::judge(AcquireRequest& request,
                                    const Result<LeaseAttempt>& answer,
                                    const Attempt& attempt) {
  const bool may_wait = request.wait_until.has_value();
  const bool time_is_up = may_wait && clock_.now() >= *request.wait_until;
  if (!answer) {
    const bool may_repeat = may_wait && answer.error().retry != Retry::never;
    if (may_repeat && !time_is_up) return std::nullopt;
    if (attempt.doubt) return Result<AcquireOutcome>{*attempt.doubt};
    // The last exchange was cut short by the caller's own deadline.
    if (may_repeat && attempt.heard) {
      return Result<AcquireOutcome>{LockWaitTimedOut{attempt.heard->remaining}};
    }
    return Result<AcquireOutcome>{answer.error()};
  }
  if (const auto* granted = std::get_if<LeaseGranted>(&*answer)) {
    return adopt(request, *granted, attempt.sent);
  }
  const milliseconds remaining = std::get<LeaseHeld>(*answer).remaining;
  if (!may_wait) return Result<AcquireOutcome>{LockBusy{remaining}};
  if (time_is_up) return Result<AcquireOutcome>{LockWaitTimedOut{remaining}};
  return std::nullopt;
}

Result<AcquireOutcome> TableLock::adopt(AcquireRequest& request,
                                        const LeaseGranted& granted,
                                        Instant sent) {
  const milliseconds lifetime =
      std::min(request.lifetime_max.value_or(lifetime_default), lifetime_longest);
  const LeaseTerms terms{request.ttl, lifetime, request.auto_renew};
  const LeaseMachine machine(terms, sent, granted.remaining);
  const Instant now = clock_.now();
  const bool enough_is_left = machine.valid_until() - now >= std::min(request.ttl, lifetime) / 4;
  if (!enough_is_left) {
    // At once, not later: the caller may repeat the acquisition with the same owner.
    const auto left = std::chrono::ceil<milliseconds>(sent + patience_of(request, sent) - now);
    const auto limit = std::max(left, exchange_shortest);
    static_cast<void>(guarded_call(
        [&] { return table_.release_within(request.resource, request.owner, limit); }));
    return answered_too_late(request.ttl, now - sent);
  }
  auto impl = std::make_shared<Lease::Impl>();
  impl->keeper = keeper_;
  impl->held = std::make_shared<HeldLease>(request, granted.token, machine);
  keeper_->add(impl->held);
  return {AcquireOutcome{Lease(std::move(impl))}};
}

void TableLock::wait(const AcquireRequest& request,
                     const Result<LeaseAttempt>& answer,
                     milliseconds poll) {
  const Instant now = clock_.now();
  const auto left = std::chrono::ceil<milliseconds>(
      std::min<nanoseconds>(*request.wait_until - now, poll_longest));
  if (left <= milliseconds::zero()) return;
  if (!answer) {
    keeper_->pause(now + std::min(poll, left), request.cancel);
    return;
  }
  // One more than stated, because a remaining time may be rounded down.
  const milliseconds until_free = std::get<LeaseHeld>(*answer).remaining + milliseconds{1};
  table_.wait_for_release(request.resource, std::min({poll, left, until_free}));
}

Result<bool> TableLock::renew(const Resource& resource, const LockOwner& owner, milliseconds ttl) {
  if (auto problem = problem_of(resource, ttl)) return std::move(*problem);
  return guarded_call([&] { return table_.renew(resource, owner, ttl); });
}

Result<bool> TableLock::release(const Resource& resource, const LockOwner& owner) {
  return guarded_call([&] { return table_.release(resource, owner); });
}

Result<bool> TableLock::renew_within(const Resource& resource,
                                     const LockOwner& owner,
                                     milliseconds ttl,
                                     milliseconds limit) {
  if (auto problem = problem_of(resource, ttl)) return std::move(*problem);
  return guarded_call([&] { return table_.renew_within(resource, owner, ttl, limit); });
}

Result<bool> TableLock::release_within(const Resource& resource,
                                       const LockOwner& owner,
                                       milliseconds limit) {
  return guarded_call([&] { return table_.release_within(resource, owner, limit); });
}

}  // namespace lock

std::unique_ptr<LockService> make_lock_service(std::string name,
                                               LeaseTable& table,
                                               const Clock& clock) {
  return std::make_unique<lock::TableLock>(std::move(name), table, clock);
}

}  // namespace mizan
