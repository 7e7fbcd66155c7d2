#include "lock/core/lease_keeper.hpp"

#include "base/thread.hpp"
#include "lock/core/guarded_call.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::lock {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// More would mean that the table has been away for long; the leases end with their TTL anyway.
constexpr std::size_t abandoned_max = 1'024;

nanoseconds jittered(nanoseconds mean) {
  const auto span = static_cast<std::uint64_t>(mean.count());
  return mean / 2 + nanoseconds{static_cast<std::int64_t>(system_random().below(span + 1))};
}

/// A holder's callback must not throw; one that does must not cost other holders their notice.
template <class Callback, class... Arguments>
void call_quietly(const Callback& callback, Arguments... arguments) noexcept {
  try {
    callback(arguments...);
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell.
  }
}

/// Nothing: it goes on.
std::optional<LeaseLoss> loss_by(Renewal renewal) {
  switch (renewal) {
    case Renewal::extended:
      return std::nullopt;
    case Renewal::not_mine:
      return LeaseLoss::not_mine;
    case Renewal::taken:
      return LeaseLoss::taken;
    case Renewal::expired:
      return LeaseLoss::expired;
    case Renewal::epoch_changed:
      return LeaseLoss::epoch_changed;
    case Renewal::server_incarnation:
      return LeaseLoss::server_incarnation;
  }
  return LeaseLoss::not_mine;
}

}  // namespace

void LeaseKeeper::reschedule(const std::shared_ptr<HeldLease>& held) {
  if (held->wake_at) schedule_.erase({*held->wake_at, held.get()});
  held->wake_at = held->machine.wake_at();
  if (!held->wake_at) return;
  const auto place = schedule_.emplace(ScheduleKey{*held->wake_at, held.get()}, held).first;
  if (place == schedule_.begin()) watch_wake_.notify_all();
}

void LeaseKeeper::apply(const std::shared_ptr<HeldLease>& held, const LeaseEvent& event) {
  const LeaseActions actions = held->machine.step(event, clock_.now());
  if (actions.tell_suspect && held->on_suspect) {
    notices_.push_back({Notice::Kind::suspect, held});
    ++held->notices_undelivered;
  }
  if (actions.tell_lost) {
    // Stop requests go first, so that no other holder's slow callback keeps this one working.
    notices_.push_front({Notice::Kind::stop, held});
    ++held->notices_undelivered;
    if (held->on_lost) {
      notices_.push_back({Notice::Kind::lost, held});
      ++held->notices_undelivered;
    }
  }
  if (actions.send_renewal) {
    renewals_.push_back(held);
    errand_wake_.notify_all();
  }
  if (held->notices_undelivered > 0) watch_wake_.notify_all();
  reschedule(held);
}

void LeaseKeeper::pass_time() {
  while (!schedule_.empty() && schedule_.begin()->first.first <= clock_.now()) {
    const std::shared_ptr<HeldLease> due = schedule_.begin()->second;
    apply(due, TimePassed{});
  }
}

void LeaseKeeper::add(const std::shared_ptr<HeldLease>& held) {
  const MutexLock lock(mutex_);
  reschedule(held);
}

std::optional<LeaseKeeper::Notice> LeaseKeeper::next_notice() {
  MutexLock lock(mutex_);
  watcher_ = std::this_thread::get_id();
  while (true) {
    if (!stopping_) pass_time();
    if (!notices_.empty()) {
      Notice notice = std::move(notices_.front());
      notices_.pop_front();
      return notice;
    }
    if (stopping_) return std::nullopt;
    if (schedule_.empty()) {
      watch_wake_.wait(lock);
    } else {
      watch_wake_.wait_for(lock, clock_.wait_slice(schedule_.begin()->first.first));
    }
  }
}

std::optional<LeaseKeeper::Notice> LeaseKeeper::next_notice_of(const HeldLease& held) {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(notices_.begin(), notices_.end(), [&held](const Notice& notice) {
    return notice.held.get() == &held;
  });
  if (found == notices_.end()) return std::nullopt;
  Notice notice = std::move(*found);
  notices_.erase(found);
  return notice;
}

void LeaseKeeper::deliver(const Notice& notice) {
  switch (notice.kind) {
    case Notice::Kind::stop:
      notice.held->lost.request_stop();
      break;
    case Notice::Kind::suspect:
      call_quietly(notice.held->on_suspect);
      break;
    case Notice::Kind::lost:
      call_quietly(notice.held->on_lost, *loss(*notice.held));
      break;
  }
  const MutexLock lock(mutex_);
  --notice.held->notices_undelivered;
  settled_.notify_all();
}

void LeaseKeeper::run_watch() {
  name_this_thread("mizan-lease-eye");
  while (const auto notice = next_notice()) deliver(*notice);
}

std::optional<LeaseKeeper::Errand> LeaseKeeper::next_errand() {
  MutexLock lock(mutex_);
  while (true) {
    if (stopping_) return std::nullopt;
    if (!renewals_.empty()) {
      // Perhaps over by now; found out later, because dropping the last reference here would run
      // the destructors of the holder's callbacks under our mutex.
      Errand errand{std::move(renewals_.front()), std::nullopt};
      renewals_.pop_front();
      return errand;
    }
    if (!abandoned_.empty()) {
      Errand errand{nullptr, abandoned_.front()};
      abandoned_.pop_front();
      return errand;
    }
    errand_wake_.wait(lock);
  }
}

void LeaseKeeper::renew(const std::shared_ptr<HeldLease>& held) {
  {
    const MutexLock lock(mutex_);
    if (held->machine.is_over()) return;
  }
  const Instant sent = clock_.now();
  const Result<Renewal> answer =
      guarded_call([&] { return table_.extend(held->resource, held->owner, held->ttl); });
  const MutexLock lock(mutex_);
  if (!answer) {
    apply(held, RenewalUnknown{jittered(retry_pause(held->ttl))});
  } else if (const auto loss = loss_by(*answer)) {
    apply(held, RefusedNotMine{*loss});
  } else {
    apply(held, Renewed{sent});
  }
}

void LeaseKeeper::give_back(const Abandoned& abandoned) {
  // Best effort: unanswered again, it ends with its TTL.
  static_cast<void>(
      guarded_call([&] { return table_.release(abandoned.resource, abandoned.owner); }));
}

void LeaseKeeper::run_renewals() {
  name_this_thread("mizan-renewal");
  while (const auto errand = next_errand()) {
    if (errand->renewal) renew(errand->renewal);
    if (errand->abandoned) give_back(*errand->abandoned);
  }
}

void LeaseKeeper::release_later(const Resource& resource, const LockOwner& owner) {
  const MutexLock lock(mutex_);
  if (abandoned_.size() >= abandoned_max) return;
  abandoned_.push_back({resource, owner});
  errand_wake_.notify_all();
}

LeaseState LeaseKeeper::state(const HeldLease& held) const {
  const MutexLock lock(mutex_);
  // The clock may be gone together with the service, but then every lease is over.
  return held.machine.state(held.machine.is_over() ? Instant{} : clock_.now());
}

std::optional<LeaseLoss> LeaseKeeper::loss(const HeldLease& held) const {
  const MutexLock lock(mutex_);
  return held.machine.loss(held.machine.is_over() ? Instant{} : clock_.now());
}

milliseconds LeaseKeeper::remaining(const HeldLease& held) const {
  const MutexLock lock(mutex_);
  if (held.machine.is_over()) return milliseconds::zero();
  const nanoseconds left = held.machine.valid_until() - clock_.now();
  return std::max(std::chrono::floor<milliseconds>(left), milliseconds::zero());
}

void LeaseKeeper::reject_fence(const std::shared_ptr<HeldLease>& held) {
  const MutexLock lock(mutex_);
  if (!held->machine.is_over()) apply(held, FenceRejected{});
}

bool LeaseKeeper::begin_release(const std::shared_ptr<HeldLease>& held) {
  const MutexLock lock(mutex_);
  if (held->machine.is_over()) return false;
  apply(held, GivenBack{});
  if (held->machine.loss(Instant{})) return false;
  // No renewal is sent from here on. One that is under way is not waited for, because it may hang:
  // it extends only what its owner holds, so it cannot bring back what is given back now.
  ++releases_under_way_;
  return true;
}

Release LeaseKeeper::exchange_release(const std::shared_ptr<HeldLease>& held) {
  const Result<bool> answer =
      guarded_call([&] { return table_.release(held->resource, held->owner); });
  const MutexLock lock(mutex_);
  --releases_under_way_;
  settled_.notify_all();
  held->release_unanswered = !answer.has_value();
  if (!answer) return Release::unknown;
  return *answer ? Release::released : Release::not_held;
}

Release LeaseKeeper::release(const std::shared_ptr<HeldLease>& held) {
  const bool was_held = begin_release(held);
  Release outcome = Release::not_held;
  if (was_held) outcome = exchange_release(held);
  settle_notices(held);
  if (was_held) return outcome;
  const MutexLock lock(mutex_);
  return held->release_unanswered ? Release::unknown : Release::not_held;
}

void LeaseKeeper::hand_over(const std::shared_ptr<HeldLease>& held) {
  {
    const MutexLock lock(mutex_);
    if (!held->machine.is_over()) apply(held, GivenBack{});
  }
  settle_notices(held);
}

void LeaseKeeper::settle_notices(const std::shared_ptr<HeldLease>& held) {
  {
    MutexLock lock(mutex_);
    if (watcher_ != std::this_thread::get_id()) {
      while (held->notices_undelivered > 0) settled_.wait(lock);
      return;
    }
  }
  // Called from a callback: waiting for this very thread would never end.
  while (const auto notice = next_notice_of(*held)) deliver(*notice);
}

void LeaseKeeper::pause(Instant until, const std::stop_token& cancel) {
  MutexLock lock(mutex_);
  while (!cancel.stop_requested() && clock_.now() < until) {
    const auto never = [] { return false; };
    static_cast<void>(pause_.wait_for(lock, cancel, clock_.wait_slice(until), never));
  }
}

void LeaseKeeper::shut_down() {
  MutexLock lock(mutex_);
  while (!schedule_.empty()) {
    const std::shared_ptr<HeldLease> held = schedule_.begin()->second;
    apply(held, ServiceGone{});
  }
  stopping_ = true;
  watch_wake_.notify_all();
  errand_wake_.notify_all();
  while (releases_under_way_ > 0) settled_.wait(lock);
}

}  // namespace mizan::lock
