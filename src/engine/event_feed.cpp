#include "engine/event_feed.hpp"

#include "base/bell.hpp"
#include "base/thread.hpp"
#include "base/timed_store.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mizan::engine {
namespace {

/// How long commits of other processes may stay unseen: short after there was something.
constexpr std::chrono::milliseconds shortest_pause{50};
constexpr std::chrono::milliseconds longest_pause{200};

/// A look at a store that hangs must not keep those from their answer whose time is over.
constexpr std::chrono::seconds look_max{1};

Result<EventPlace> newest_of(Store& store, Deadline deadline) {
  auto* const timed = dynamic_cast<TimedStore*>(&store);
  return timed == nullptr ? store.events()->newest() : timed->newest_event_until(deadline);
}

Error no_events() {
  return invalid_request("events", "the store does not tell what it has applied");
}

}  // namespace

Result<EventPage> refuse_ahead(Store& store,
                               const EventQuery& query,
                               EventPage page,
                               Deadline deadline) {
  const bool may_be_ahead = page.items.empty() && page.next == query.after;
  if (!may_be_ahead || query.after.value() <= 0) return page;
  auto newest = newest_of(store, deadline);
  if (!newest) return newest.error();
  if (query.after <= *newest) return page;
  return invalid_request("/after",
                         "after: this cursor is ahead of the newest event; it is another ledger's, "
                         "or of what this one has lost since: a backup was restored, or a store in "
                         "memory began anew");
}

EventFeed::~EventFeed() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EventFeed::announce() noexcept {
  if (!is_watched_.load(std::memory_order_acquire)) return;
  {
    const MutexLock lock(mutex_);
    is_announced_ = true;
  }
  changed_.notify_all();
}

void EventFeed::watch(EventPlace after, Deadline deadline, std::function<void()> handler) {
  if (store_.events() == nullptr) return handler();  // Who reads then is told why.
  {
    const MutexLock lock(mutex_);
    watchers_.push_back({after, deadline, std::move(handler)});
    is_watched_.store(true, std::memory_order_release);
    is_announced_ = true;  // What came between the last reading and now.
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

Result<EventPage> EventFeed::read(const EventQuery& query) {
  EventLog* log = store_.events();
  if (log == nullptr) return no_events();
  auto page = log->read(query.after, query.limit);
  if (!page) return page;
  return refuse_ahead(store_, query, *std::move(page), Deadline::max());
}

Result<EventPage> EventFeed::wait(const EventQuery& query, Deadline deadline) {
  EventQuery rest = query;
  for (;;) {
    auto page = read(rest);
    if (!page || !page->items.empty() || clock_.now() >= deadline) return page;
    rest.after = page->next;
    // Shared: the handler may still be in the bell when this thread has gone on.
    const auto bell = std::make_shared<Bell>();
    const auto seen = bell->rings();
    watch(rest.after, deadline, [bell] { bell->ring(); });
    while (bell->rings() == seen) bell->wait(seen);
    const MutexLock lock(mutex_);
    if (is_closing_) return page;
  }
}

void EventFeed::run() {
  name_this_thread("mizan-events");
  EventPlace newest;
  pause_ = shortest_pause;
  for (;;) {
    wait_for_news();
    {
      const MutexLock lock(mutex_);
      if (is_closing_) break;
    }
    // Where the store cannot be asked, those who wait find out themselves at their deadline.
    if (auto asked = newest_of(store_, clock_.now() + look_max); asked) {
      pause_ = *asked > newest ? shortest_pause : std::min(pause_ * 2, longest_pause);
      newest = *asked;
    }
    for (const Watcher& watcher : take_due(newest)) watcher.handler();
  }
  std::vector<Watcher> left;
  {
    const MutexLock lock(mutex_);
    left = std::exchange(watchers_, {});
  }
  for (const Watcher& watcher : left) watcher.handler();
}

void EventFeed::wait_for_news() {
  MutexLock lock(mutex_);
  while (watchers_.empty() && !is_closing_) changed_.wait(lock);
  const Instant until = clock_.now() + pause_;
  while (!is_announced_ && !is_closing_) {
    const auto slice = clock_.wait_slice(until);
    if (slice.count() == 0) break;
    changed_.wait_for(lock, slice);
  }
  is_announced_ = false;
}

std::vector<EventFeed::Watcher> EventFeed::take_due(EventPlace newest) {
  const MutexLock lock(mutex_);
  const Instant now = clock_.now();
  const auto due = std::partition(watchers_.begin(), watchers_.end(), [&](const Watcher& one) {
    return one.after >= newest && one.deadline > now;
  });
  std::vector<Watcher> taken(std::make_move_iterator(due),
                             std::make_move_iterator(watchers_.end()));
  watchers_.erase(due, watchers_.end());
  if (watchers_.empty()) is_watched_.store(false, std::memory_order_release);
  return taken;
}

}  // namespace mizan::engine
