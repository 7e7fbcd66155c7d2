#include "http/event_waiters.hpp"

#include "mizan/reads.hpp"

#include "base/mutex.hpp"
#include "http/services.hpp"
#include "json/cursor.hpp"
#include "json/shapes.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace mizan::http {
namespace {

void answer_page(const EventWish& wish, const EventPage& page) {
  json::Array items;
  for (const Event& event : page.items) items.add(json::to_object(event));
  wish.exchange->answer(
      json_response(200, json::list_object(items, json::events_cursor(page.next)).text()));
}

void answer_nothing(const EventWish& wish) {
  EventPage page;
  page.next = wish.query.after;
  answer_page(wish, page);
}

}  // namespace

class EventWaiters::State : public std::enable_shared_from_this<State> {
 public:
  explicit State(Options options) : options_(options) {}

  void read_on_worker(EventWish wish) {
    const auto shared = std::make_shared<EventWish>(std::move(wish));
    const bool is_taken = options_.readers.post(
        [self = shared_from_this(), shared] { self->read(std::move(*shared)); });
    if (!is_taken) shared->exchange->answer(overloaded(*shared->exchange));
  }

  void close() {
    std::map<std::uint64_t, EventWish> left;
    {
      const MutexLock lock(mutex_);
      is_closing_ = true;
      left = std::exchange(waiting_, {});
    }
    for (const auto& [number, wish] : left) answer_nothing(wish);
  }

  [[nodiscard]] std::size_t waiting() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
  }

 private:
  void read(EventWish wish) {
    auto page = read_events_until(options_.store, wish.query, wish.deadline);
    if (!page) {
      return wish.exchange->answer(wrong(*wish.exchange, page.error()));
    }
    const bool waits = page->items.empty() && wish.wait_until &&
                       options_.clock.now() < *wish.wait_until && !wish.exchange->is_abandoned();
    if (!waits) return answer_page(wish, *page);
    wish.query.after = page->next;
    wait(std::move(wish));
  }

  /// Takes the wish and answers its number; 0 where it is left, because too many wait or nobody may
  /// any more.
  std::uint64_t keep(EventWish& wish) {
    const MutexLock lock(mutex_);
    if (is_closing_ || waiting_.size() >= options_.waiting_max) return 0;
    waiting_.emplace(++last_number_, std::move(wish));
    return last_number_;
  }

  void wait(EventWish wish) {
    const EventPlace after = wish.query.after;
    const Deadline until = *wish.wait_until;
    const std::uint64_t number = keep(wish);
    if (number == 0) return answer_nothing(wish);
    options_.ledger.watch_events(
        after, until, [self = shared_from_this(), number] { self->wake(number); });
  }

  /// Somebody who was answered at the closing is not there any more.
  void wake(std::uint64_t number) {
    MutexLock lock(mutex_);
    auto found = waiting_.extract(number);
    lock.unlock();
    if (found) read_on_worker(std::move(found.mapped()));
  }

  Options options_;
  mutable Mutex mutex_;
  std::map<std::uint64_t, EventWish> waiting_ MIZAN_GUARDED_BY(mutex_);
  std::uint64_t last_number_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool is_closing_ MIZAN_GUARDED_BY(mutex_) = false;
};

EventWaiters::EventWaiters(Options options) : state_(std::make_shared<State>(options)) {}

EventWaiters::~EventWaiters() {
  close();
}

void EventWaiters::ask(EventWish wish) {
  state_->read_on_worker(std::move(wish));
}

std::size_t EventWaiters::waiting() const {
  return state_->waiting();
}

void EventWaiters::close() {
  state_->close();
}

}  // namespace mizan::http
