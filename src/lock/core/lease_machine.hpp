#pragma once

#include "mizan/clock.hpp"
#include "mizan/lock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

namespace mizan::lock {

/// What was agreed at acquisition.
struct LeaseTerms {
  std::chrono::nanoseconds ttl{};           ///< Asked for at every renewal, too; > 0.
  std::chrono::nanoseconds lifetime_max{};  ///< From the moment the acquisition was sent; > 0.
  bool auto_renew = true;
};

/// What of the TTL is never used: clocks may run at different rates, and whoever asks "do I still
/// hold it" needs a moment to act on the answer.
[[nodiscard]] std::chrono::nanoseconds safety_margin(std::chrono::nanoseconds ttl) noexcept;

/// The mean pause after a renewal without an answer. To be jittered by ± 50 %.
[[nodiscard]] std::chrono::nanoseconds retry_pause(std::chrono::nanoseconds ttl) noexcept;

// What can happen to a lease.

struct TimePassed {};

/// The table extended it. `sent`: when the renewal was sent, because that is the latest moment
/// from which the table may count.
struct Renewed {
  Instant sent;
};

/// The table did not answer, or not in a way that says anything. Never resets the clock and never
/// loses the lease by itself.
struct RenewalUnknown {
  std::chrono::nanoseconds retry_in{};
};

/// The table said that it is not extended.
struct RefusedNotMine {
  LeaseLoss reason = LeaseLoss::not_mine;
};

struct FenceRejected {};

struct ServiceGone {};

/// The holder gives it back.
struct GivenBack {};

using LeaseEvent = std::variant<TimePassed,
                                Renewed,
                                RenewalUnknown,
                                RefusedNotMine,
                                FenceRejected,
                                ServiceGone,
                                GivenBack>;

/// What the shell around the machine has to do.
struct LeaseActions {
  bool send_renewal = false;  ///< And answer with Renewed, RenewalUnknown or RefusedNotMine.
  bool tell_suspect = false;  ///< At most once per lease.
  bool tell_lost = false;     ///< At most once per lease.

  friend bool operator==(const LeaseActions&, const LeaseActions&) = default;
};

/// The life of one lease: held → suspect → lost or released. Events in, actions out, time passed
/// in; no clock, thread or I/O inside. One thread at a time.
class LeaseMachine {
 public:
  /// `sent`: when the granted acquisition was sent. `granted`: the validity that the table stated;
  /// only the smaller of it and the TTL is believed.
  LeaseMachine(const LeaseTerms& terms, Instant sent, std::chrono::nanoseconds granted) noexcept;

  /// `now` decides before the event does: a reply that arrives after the end of the validity
  /// cannot bring the lease back, for the holder may have been told already.
  LeaseActions step(const LeaseEvent& event, Instant now);

  /// As an observer sees it at `now`: a lease past its validity is lost, also when nobody has
  /// stepped the machine since.
  [[nodiscard]] LeaseState state(Instant now) const noexcept;
  [[nodiscard]] std::optional<LeaseLoss> loss(Instant now) const noexcept;

  /// Lost or released; nothing happens to it any more.
  [[nodiscard]] bool is_over() const noexcept;

  /// From this moment on the lease must not be relied upon.
  [[nodiscard]] Instant valid_until() const noexcept;

  /// When to step with TimePassed next; nothing when it is over.
  [[nodiscard]] std::optional<Instant> wake_at() const noexcept;

 private:
  [[nodiscard]] bool wants_renewal() const noexcept;
  void believe(Instant sent, std::chrono::nanoseconds validity) noexcept;
  LeaseActions pass_time(Instant now) noexcept;
  LeaseActions suspect() noexcept;
  LeaseActions lose(LeaseLoss reason) noexcept;

  LeaseTerms terms_;
  Instant lifetime_end_;
  Instant deadline_;    // By the last answer of the table, less the margin.
  Instant renew_at_;    // The next renewal, unless one is under way.
  Instant suspect_at_;  // A renewal that is unanswered by then is failing.
  LeaseState state_ = LeaseState::held;
  std::optional<LeaseLoss> loss_;
  bool renewal_under_way_ = false;
  bool suspect_told_ = false;
};

}  // namespace mizan::lock
