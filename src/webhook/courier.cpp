#include "webhook/courier.hpp"

#include "base/ledger_resource.hpp"
#include "base/mutex.hpp"
#include "base/raisable_tokens.hpp"
#include "base/thread.hpp"
#include "webhook/round.hpp"

#include <atomic>
#include <condition_variable>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>

namespace mizan::webhook {
namespace {

/// After something went wrong, and between two attempts to get the lease.
constexpr std::chrono::seconds rest_time{1};

/// A lease is lost after an hour whatever happens; a courier begins a new one before.
constexpr std::chrono::minutes round_longest{30};

}  // namespace

class Courier::Impl {
 public:
  Impl(const Ground& ground, std::string webhook, CourierOptions options)
      : ground_(ground),
        webhook_(std::move(webhook)),
        options_(options),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void request_stop() { thread_.request_stop(); }

  [[nodiscard]] bool is_done() const noexcept { return is_done_; }

 private:
  void run(const std::stop_token& stop) {
    name_this_thread("mizan-courier");
    while (!stop.stop_requested()) {
      if (auto lease = acquire(stop)) {
        deliver(*lease, stop);
        lease->release();
      }
      rest(stop);
    }
    is_done_ = true;
  }

  std::optional<Lease> acquire(const std::stop_token& stop) {
    AcquireRequest request;
    request.resource = ledger_resource("webhook", webhook_);
    request.ttl = options_.lease_time;
    request.cancel = stop;
    auto outcome = ground_.locks.acquire(std::move(request));
    if (!outcome || !std::holds_alternative<Lease>(*outcome)) return std::nullopt;
    return std::get<Lease>(std::move(*outcome));
  }

  void deliver(const Lease& lease, const std::stop_token& stop) {
    Round round(ground_, options_, webhook_);
    const std::stop_callback stopped(stop, [bell = round.bell()] { bell->ring(); });
    const std::stop_callback lost(lease.lost(), [bell = round.bell()] { bell->ring(); });
    const Instant end = ground_.clock.now() + round_longest;
    const auto begun = round.begin(lease.token());
    if (const auto newest = round.newer_token()) raise_tokens(lease, *newest);
    bool goes_on = begun && *begun;
    while (goes_on) {
      const bool is_over =
          stop.stop_requested() || lease.lost().stop_requested() || ground_.clock.now() >= end;
      if (is_over && !lease.lost().stop_requested()) round.finish();
      if (is_over) return;
      // An error ends the round: the next one reads everything anew.
      const auto stepped = round.step();
      goes_on = stepped && *stepped;
      if (goes_on) round.wait();
    }
  }

  /// Somebody newer was here, though the lease stands: he had it from another lock service than is
  /// used now, whose tokens go on above his from the next acquisition on.
  void raise_tokens(const Lease& lease, FenceToken newest) {
    if (lease.state() == LeaseState::lost) return;
    auto* tokens = dynamic_cast<RaisableTokens*>(&ground_.locks);
    if (tokens != nullptr) static_cast<void>(tokens->raise_above(lease.resource(), newest));
  }

  void rest(const std::stop_token& stop) {
    MutexLock lock(mutex_);
    resting_.wait_for(lock, stop, rest_time, [] { return false; });
  }

  const Ground& ground_;
  std::string webhook_;
  CourierOptions options_;
  Mutex mutex_;
  std::condition_variable_any resting_;
  std::atomic<bool> is_done_{false};
  std::jthread thread_;  // Last: it uses everything above.
};

Courier::Courier(const Ground& ground, std::string webhook, CourierOptions options)
    : impl_(std::make_unique<Impl>(ground, std::move(webhook), options)) {}

Courier::~Courier() = default;

void Courier::request_stop() {
  impl_->request_stop();
}

bool Courier::is_done() const noexcept {
  return impl_->is_done();
}

}  // namespace mizan::webhook
