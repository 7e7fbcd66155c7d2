#include "http/server.hpp"

#include "base/random.hpp"
#include "base/uuid.hpp"
#include "http/event_waiters.hpp"
#include "http/key_ring.hpp"
#include "http/lock_waiters.hpp"
#include "http/metrics.hpp"
#include "http/readiness.hpp"
#include "http/router.hpp"
#include "http/services.hpp"
#include "http/wire/io_loop.hpp"
#include "http/wire/listener.hpp"
#include "http/workers.hpp"
#include "webhook/registry.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <memory>
#include <utility>
#include <vector>

namespace mizan::http {
namespace {

/// Clients that are idle when the server stops may have a request on the way: they get so long to
/// send it before their connection is closed.
constexpr std::chrono::milliseconds last_call{300};
constexpr std::chrono::milliseconds linger_max{3'000};

/// What a load balancer waits for.
constexpr std::chrono::milliseconds readiness_time{2'000};
constexpr std::chrono::milliseconds look_interval{5};

}  // namespace

class Server::Impl {
 public:
  Impl(const Served& served, ServerOptions options)
      : options_(std::move(options)),
        clock_(served.clock),
        uuids_(served.clock, served.random),
        readers_({.name = "mizan-read", .threads = options_.read_threads, .queue_max = 4'096}),
        writers_({.name = "mizan-write", .threads = options_.write_threads, .queue_max = 4'096}),
        batches_({.name = "mizan-batch", .threads = 2, .queue_max = 256}),
        locks_(
            {.service = served.locks, .clock = served.clock, .answer_time = options_.answer_time}),
        events_({.ledger = served.ledger,
                 .store = served.store,
                 .clock = served.clock,
                 .readers = readers_}),
        webhooks_(served.store, served.clock, system_random()),
        readiness_({.store = served.store,
                    .lock = served.required_lock,
                    .clock = served.clock,
                    .patience =
                        std::min<std::chrono::milliseconds>(readiness_time, options_.answer_time)}),
        keys_(make_keys(served)),
        services_{.ledger = served.ledger,
                  .store = served.store,
                  .clock = served.clock,
                  .uuids = uuids_,
                  .submits = served.submits,
                  .answer_time = options_.answer_time,
                  .readers = readers_,
                  .writers = writers_,
                  .batches = batches_,
                  .locks = locks_,
                  .events = events_,
                  .webhooks = webhooks_,
                  .readiness = readiness_,
                  .epochs_drawn = served.epochs_drawn,
                  .hosts = AllowedHosts(options_.allowed_hosts),
                  .keys = keys_.get(),
                  .metrics = metrics_,
                  .log = served.log,
                  .connections = connections_,
                  .requests = requests_,
                  .draining = draining_,
                  .bodies = std::make_shared<MemoryBudget>(options_.bodies_max),
                  .answers = std::make_shared<MemoryBudget>(options_.answers_max)} {}

  // NOLINTNEXTLINE(bugprone-exception-escape): nobody is left who could be told.
  ~Impl() { stop(); }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] Status start() {
    const LoopGround ground{services_, router_, options_, connections_, requests_, arriving_};
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.io_threads, 1); ++i) {
      loops_.push_back(std::make_unique<IoLoop>(ground, i));
    }
    auto listener = Listener::open(options_, loops_, connections_);
    if (!listener) return std::move(listener).error();
    listener_ = std::move(*listener);
    address_ = listener_->address();
    return {};
  }

  [[nodiscard]] const std::string& address() const noexcept { return address_; }

  [[nodiscard]] bool is_alive(std::chrono::milliseconds within) {
    const auto turn = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(loops_.size()));
    for (const auto& loop : loops_) {
      boost::asio::post(loop->context(), [turn] { turn->count_down(); });
    }
    const Instant until = clock_.now() + within;
    while (!turn->try_wait() && clock_.now() < until) {
      clock_.sleep_until(clock_.now() + std::chrono::milliseconds{1});
    }
    return turn->try_wait();
  }

  void stop() {
    if (draining_.exchange(true)) return;
    const Instant until = clock_.now() + options_.stop_time;
    if (listener_) listener_->stop();
    drain(false);
    locks_.close();
    events_.close();
    clock_.sleep_until(clock_.now() + last_call);
    wait_until(until, [this] { return arriving_ == 0 && requests_ == 0; });
    drain(true);
    // The ledger answers at the deadline of a request at the latest. One that cannot begin, since
    // its client does not take the answers to those before it, is not waited for as long.
    const Instant late = std::max(until, clock_.now()) + linger_max;
    wait_until(Instant::max(),
               [this, late] { return requests_ == 0 && (arriving_ == 0 || clock_.now() >= late); });
    wait_until(clock_.now() + linger_max, [this] { return connections_ == 0; });
    for (const auto& loop : loops_) loop->stop();
    // Whoever is still at work answers to loops that stand still, and must not to none.
    wait_until(Instant::max(), [this] { return requests_ == 0; });
    listener_.reset();
    loops_.clear();
  }

 private:
  static std::unique_ptr<KeyRing> make_keys(const Served& served) {
    KeyTable* const keys = served.asks_for_keys ? served.store.keys() : nullptr;
    return keys == nullptr ? nullptr : std::make_unique<KeyRing>(*keys, served.clock);
  }

  /// Blocks until every connection knows.
  void drain(bool last) {
    std::latch known(static_cast<std::ptrdiff_t>(loops_.size()));
    for (const auto& loop : loops_) {
      boost::asio::post(loop->context(), [each = loop.get(), last, &known] {
        each->drain(last);
        known.count_down();
      });
    }
    known.wait();
  }

  template <class Condition>
  void wait_until(Instant end, Condition condition) const {
    while (!condition() && clock_.now() < end) clock_.sleep_until(clock_.now() + look_interval);
  }

  ServerOptions options_;
  const Clock& clock_;
  UuidGenerator uuids_;
  Router router_;
  Metrics metrics_{router_};
  std::atomic<bool> draining_{false};
  std::atomic<std::size_t> connections_{0};
  std::atomic<std::size_t> requests_{0};
  std::atomic<std::size_t> arriving_{0};
  std::string address_;
  std::vector<std::unique_ptr<IoLoop>> loops_;  // Before the workers: these answer to them.
  Workers readers_;
  Workers writers_;
  Workers batches_;
  LockWaiters locks_;
  EventWaiters events_;
  webhook::Registry webhooks_;
  Readiness readiness_;
  std::unique_ptr<KeyRing> keys_;
  Services services_;
  std::unique_ptr<Listener> listener_;
};

Server::Server(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(const Served& served, ServerOptions options) {
  auto impl = std::make_unique<Impl>(served, std::move(options));
  if (auto started = impl->start(); !started) return std::move(started).error();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

const std::string& Server::address() const noexcept {
  return impl_->address();
}

bool Server::is_alive(std::chrono::milliseconds within) {
  return impl_->is_alive(within);
}

void Server::stop() {
  impl_->stop();
}

}  // namespace mizan::http
