#include "lock/core/lease_machine.hpp"

#include "base/assert.hpp"
#include "base/match.hpp"

#include <algorithm>

namespace mizan::lock {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// At 40 % a first failed attempt leaves room for many more before the end, and the table is not
// asked more often than needed.
constexpr nanoseconds renewal_age(nanoseconds ttl) noexcept {
  return ttl / 10 * 4;
}

constexpr nanoseconds suspect_age(nanoseconds ttl) noexcept {
  return ttl / 10 * 8;
}

}  // namespace

nanoseconds safety_margin(nanoseconds ttl) noexcept {
  return std::clamp<nanoseconds>(ttl / 20, milliseconds{5}, milliseconds{1'000});
}

nanoseconds retry_pause(nanoseconds ttl) noexcept {
  return std::clamp<nanoseconds>(ttl / 20, milliseconds{2}, milliseconds{1'000});
}

LeaseMachine::LeaseMachine(const LeaseTerms& terms, Instant sent, nanoseconds granted) noexcept
    : terms_(terms), lifetime_end_(sent + terms.lifetime_max) {
  MIZAN_ASSERT(terms.ttl > nanoseconds::zero());
  MIZAN_ASSERT(terms.lifetime_max > nanoseconds::zero());
  believe(sent, std::min(terms.ttl, granted));
}

void LeaseMachine::believe(Instant sent, nanoseconds validity) noexcept {
  deadline_ = sent + validity - safety_margin(terms_.ttl);
  renew_at_ = sent + renewal_age(validity);
  suspect_at_ = sent + suspect_age(validity);
}

Instant LeaseMachine::valid_until() const noexcept {
  return std::min(deadline_, lifetime_end_);
}

bool LeaseMachine::is_over() const noexcept {
  return state_ == LeaseState::lost || state_ == LeaseState::released;
}

bool LeaseMachine::wants_renewal() const noexcept {
  // Past the lifetime a renewal could only keep others out.
  return terms_.auto_renew && deadline_ < lifetime_end_;
}

LeaseState LeaseMachine::state(Instant now) const noexcept {
  return !is_over() && now >= valid_until() ? LeaseState::lost : state_;
}

std::optional<LeaseLoss> LeaseMachine::loss(Instant now) const noexcept {
  if (is_over() || now < valid_until()) return loss_;
  return lifetime_end_ <= deadline_ ? LeaseLoss::max_lifetime : LeaseLoss::deadline;
}

std::optional<Instant> LeaseMachine::wake_at() const noexcept {
  if (is_over()) return std::nullopt;
  Instant wake = valid_until();
  if (!wants_renewal()) return wake;
  if (!renewal_under_way_) wake = std::min(wake, renew_at_);
  if (state_ == LeaseState::held) wake = std::min(wake, suspect_at_);
  return wake;
}

LeaseActions LeaseMachine::suspect() noexcept {
  state_ = LeaseState::suspect;
  const bool told_before = suspect_told_;
  suspect_told_ = true;
  return {.tell_suspect = !told_before};
}

LeaseActions LeaseMachine::lose(LeaseLoss reason) noexcept {
  state_ = LeaseState::lost;
  loss_ = reason;
  return {.tell_lost = true};
}

LeaseActions LeaseMachine::pass_time(Instant now) noexcept {
  if (const auto reason = loss(now)) return lose(*reason);
  LeaseActions actions;
  if (!wants_renewal()) return actions;
  if (state_ == LeaseState::held && now >= suspect_at_) actions = suspect();
  if (!renewal_under_way_ && now >= renew_at_) {
    renewal_under_way_ = true;
    actions.send_renewal = true;
  }
  return actions;
}

LeaseActions LeaseMachine::step(const LeaseEvent& event, Instant now) {
  if (is_over()) return {};
  if (std::holds_alternative<TimePassed>(event) || now >= valid_until()) return pass_time(now);
  const Match on_event{[](const TimePassed&) { return LeaseActions{}; },
                       [this](const Renewed& renewed) {
                         renewal_under_way_ = false;
                         state_ = LeaseState::held;
                         believe(renewed.sent, terms_.ttl);
                         return LeaseActions{};
                       },
                       [this, now](const RenewalUnknown& unknown) {
                         renewal_under_way_ = false;
                         renew_at_ = now + unknown.retry_in;
                         return suspect();
                       },
                       [this](const RefusedNotMine& refused) { return lose(refused.reason); },
                       [this](const FenceRejected&) { return lose(LeaseLoss::fence_rejected); },
                       [this](const ServiceGone&) { return lose(LeaseLoss::shutdown); },
                       [this](const GivenBack&) {
                         state_ = LeaseState::released;
                         return LeaseActions{};
                       }};
  return std::visit(on_event, event);
}

}  // namespace mizan::lock
