#pragma once

#include "mizan/clock.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "base/mutex.hpp"
#include "http/exchange.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <thread>
#include <vector>

namespace mizan::http {

/// Says whether operations can be applied here, and says so in time: on threads of its own, so that
/// nobody waits behind what hangs. Those who ask at the same time are answered together.
/// Threads: any thread may ask. Destruction answers everybody who still waits; it blocks while the
/// store or the lock service is asked.
class Readiness {
 public:
  struct Options {
    Store& store;
    LockService* lock;  ///< Not ready while it cannot be reached; null: none is needed.
    const Clock& clock;
    std::chrono::milliseconds patience{2'000};  ///< Whoever says nothing until then is not ready.
  };

  explicit Readiness(Options options);
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;
  ~Readiness();

  /// Answers the exchange, now or later.
  void ask(std::shared_ptr<Exchange> exchange);

 private:
  struct Waiting {
    std::shared_ptr<Exchange> exchange;
    Deadline until;
  };

  using Waitings = std::vector<Waiting>;

  void probe_on_demand();
  void answer_late();
  [[nodiscard]] Status probe() const;
  [[nodiscard]] Waitings take_late(Instant now) MIZAN_REQUIRES(mutex_);

  Options options_;
  Mutex mutex_;
  std::condition_variable_any asked_;
  // In order of arrival, and so of `until`. Those whose probe is under way, and those after it.
  Waitings probed_ MIZAN_GUARDED_BY(mutex_);
  Waitings waiting_ MIZAN_GUARDED_BY(mutex_);
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::jthread prober_;  // These two last: they use everything above.
  std::jthread watcher_;
};

}  // namespace mizan::http
