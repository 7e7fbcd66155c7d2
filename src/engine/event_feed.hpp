#pragma once

#include "mizan/ledger.hpp"

#include "base/mutex.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <thread>
#include <vector>

namespace mizan::engine {

/// The page that was read, unless the place that it was to begin after is ahead of the newest
/// event: nobody was ever given that one (docs/decisions/0030).
[[nodiscard]] Result<EventPage> refuse_ahead(Store& store,
                                             const EventQuery& query,
                                             EventPage page,
                                             Deadline deadline);

/// Tells those who wait for events that there may be some: at once where this process has
/// committed, else by asking the store now and then, once for all who wait.
///
/// Owns:    a thread, from the first watcher on. Destruction calls every handler that is left.
/// Threads: any number of threads may call any member at once.
class EventFeed {
 public:
  EventFeed(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;
  ~EventFeed();

  /// This process has committed. Costs next to nothing while nobody watches.
  void announce() noexcept MIZAN_EXCLUDES(mutex_);

  /// Calls the handler once, on the feed's thread, as soon as there may be an event after `after`,
  /// or when the deadline has come.
  void watch(EventPlace after, Deadline deadline, std::function<void()> handler)
      MIZAN_EXCLUDES(mutex_);

  [[nodiscard]] Result<EventPage> read(const EventQuery& query);
  [[nodiscard]] Result<EventPage> wait(const EventQuery& query, Deadline deadline);

 private:
  struct Watcher {
    EventPlace after;
    Deadline deadline;
    std::function<void()> handler;
  };

  void run() MIZAN_EXCLUDES(mutex_);
  void wait_for_news() MIZAN_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<Watcher> take_due(EventPlace newest) MIZAN_EXCLUDES(mutex_);

  Store& store_;
  const Clock& clock_;
  std::atomic<bool> is_watched_ = false;

  Mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Watcher> watchers_ MIZAN_GUARDED_BY(mutex_);
  bool is_announced_ MIZAN_GUARDED_BY(mutex_) = false;
  bool is_closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::chrono::milliseconds pause_{};  // The thread's own.
  std::thread thread_;
};

}  // namespace mizan::engine
