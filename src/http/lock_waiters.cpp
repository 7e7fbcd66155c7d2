#include "http/lock_waiters.hpp"

#include "base/granted.hpp"
#include "base/thread.hpp"
#include "http/answers.hpp"
#include "json/shapes.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mizan::http {
namespace {

json::ProblemContext context_of(const LockWish& wish) {
  return {{}, wish.exchange->request_id};
}

void answer_full(const LockWish& wish) {
  wish.exchange->answer(error_response(
      unavailable("locks", "too many requests are waiting for locks; try again in a moment"),
      context_of(wish)));
}

Error no_time_left() {
  return unavailable("locks", "no time was left before the deadline; nothing was done");
}

std::optional<std::chrono::milliseconds> busy_for(const AcquireOutcome& outcome) {
  if (const auto* busy = std::get_if<LockBusy>(&outcome)) return busy->remaining;
  if (const auto* late = std::get_if<LockWaitTimedOut>(&outcome)) return late->remaining;
  return std::nullopt;
}

}  // namespace

LockWaiters::LockWaiters(Options options)
    : options_(options),
      workers_({.name = "mizan-lock", .threads = 8, .queue_max = options.waiting_max}),
      thread_([this] { run(); }) {}

LockWaiters::~LockWaiters() {
  close();
  thread_.join();
}

void LockWaiters::answer_busy(const LockWish& wish,
                              std::optional<std::chrono::milliseconds> remaining) {
  ++busy_;
  wish.exchange->answer(busy_response(wish.resource, remaining, context_of(wish)));
}

void LockWaiters::close() {
  std::vector<LockWish> left;
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    changed_ = true;
    for (auto& [resource, line] : lines_) {
      for (LockWish& wish : line.wishes) left.push_back(std::move(wish));
    }
    lines_.clear();
    waiting_ = 0;
  }
  wake_.notify_all();
  for (const LockWish& wish : left) answer_busy(wish, std::nullopt);
}

void LockWaiters::acquire(LockWish wish) {
  {
    // Who may wait stands behind those who wait already.
    MutexLock lock(mutex_);
    const auto line = lines_.find(wish.resource);
    if (wish.wait_until && line != lines_.end()) {
      lock.unlock();
      return enqueue(std::move(wish));
    }
  }
  attempt(std::move(wish), Turn::beside);
}

void LockWaiters::enqueue(LockWish wish) {
  {
    MutexLock lock(mutex_);
    if (!closing_ && waiting_ < options_.waiting_max) {
      ++waiting_;
      Line& line = lines_[wish.resource];
      line.wishes.push_back(std::move(wish));
      changed_ = true;
      lock.unlock();
      return wake_.notify_one();
    }
  }
  answer_full(wish);
}

void LockWaiters::attempt(LockWish wish, Turn turn) {
  // Attempts that hang end in the order in which they were handed in: nobody's turn comes after
  // the end of the own time.
  if (wish.wait_until) wish.answer_by = options_.clock.now() + options_.answer_time;
  const auto shared = std::make_shared<LockWish>(std::move(wish));
  const bool is_taken = workers_.post([this, shared, turn] {
    if (options_.clock.now() >= shared->answer_by) {
      return conclude(std::move(*shared), turn, no_time_left());
    }
    AcquireRequest request;
    request.resource = shared->resource;
    request.ttl = shared->ttl;
    request.owner = shared->owner;
    request.auto_renew = false;
    request.answer_by = shared->answer_by;
    conclude(std::move(*shared), turn, options_.service.acquire(std::move(request)));
  });
  if (is_taken) return;
  leave(shared->resource, turn);
  answer_full(*shared);
}

void LockWaiters::conclude(LockWish wish, Turn turn, Result<AcquireOutcome> outcome) {
  if (!outcome) {
    leave(wish.resource, turn);
    return wish.exchange->answer(error_response(outcome.error(), context_of(wish)));
  }
  if (auto* lease = std::get_if<Lease>(&*outcome)) {
    leave(wish.resource, turn);
    return grant(wish, std::move(*lease));
  }
  const auto remaining = busy_for(*outcome);
  const bool waits = wish.wait_until && options_.clock.now() < *wish.wait_until;
  if (waits && !wish.exchange->is_abandoned()) {
    return put_back(std::move(wish), turn, remaining.value_or(options_.poll_max));
  }
  leave(wish.resource, turn);
  answer_busy(wish, remaining);
}

/// The attempt for the line's first wish is over and it is gone: the next one asks at once.
void LockWaiters::leave(const Resource& resource, Turn turn) {
  if (turn == Turn::beside) return;
  {
    const MutexLock lock(mutex_);
    const auto line = lines_.find(resource);
    if (line == lines_.end()) return;
    line->second.is_asking = false;
    line->second.pause = options_.poll_min;
    line->second.due = options_.clock.now() + options_.poll_min;
    if (line->second.wishes.empty()) lines_.erase(line);
    changed_ = true;
  }
  wake_.notify_one();
}

/// Nobody asks again before the lease may have ended, nor for a while that grows.
void LockWaiters::put_off(Line& line, std::chrono::milliseconds remaining) const {
  if (line.is_asking) return;
  line.pause = std::clamp(line.pause * 2, options_.poll_min, options_.poll_max);
  line.due = options_.clock.now() + std::clamp(remaining, std::chrono::milliseconds{1}, line.pause);
}

void LockWaiters::put_back(LockWish wish, Turn turn, std::chrono::milliseconds remaining) {
  {
    MutexLock lock(mutex_);
    if (!closing_) {
      Line& line = lines_[wish.resource];
      if (turn == Turn::of_line) line.is_asking = false;
      put_off(line, remaining);
      line.wishes.push_front(std::move(wish));
      ++waiting_;
      changed_ = true;
      lock.unlock();
      return wake_.notify_one();
    }
  }
  answer_busy(wish, remaining);
}

void LockWaiters::grant(const LockWish& wish, Lease lease) {
  if (wish.exchange->is_abandoned()) {
    lease.hand_over();
    give_back(wish);
    released(wish.resource);
    return answer_busy(wish, std::nullopt);  // Somebody who closed one direction may still read.
  }
  ++granted_;
  const Fence fence = lease.fence();
  const auto remaining = lease.remaining();
  lease.hand_over();
  wish.exchange->answer(json_response(201, json::lease_object(fence, remaining).text()));
}

void LockWaiters::give_back(const LockWish& wish) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(wish.answer_by - options_.clock.now());
  static_cast<void>(options_.service.release_within(
      wish.resource, wish.owner, std::max(left, milliseconds::zero())));
}

void LockWaiters::released(const Resource& resource) {
  {
    const MutexLock lock(mutex_);
    const auto line = lines_.find(resource);
    if (line == lines_.end()) return;
    line->second.due = Instant{};
    line->second.pause = options_.poll_min;
    changed_ = true;
  }
  wake_.notify_one();
}

std::size_t LockWaiters::waiting() const {
  const MutexLock lock(mutex_);
  return waiting_;
}

/// Takes those whose turn or whose end has come; answers when to look again.
Instant LockWaiters::look_through(Instant now,
                                  std::vector<LockWish>& due,
                                  std::vector<LockWish>& late) {
  Instant next = Instant::max();
  for (auto place = lines_.begin(); place != lines_.end();) {
    Line& line = place->second;
    const auto is_late = [now](const LockWish& wish) {
      return now >= *wish.wait_until || wish.exchange->is_abandoned();
    };
    for (LockWish& wish : line.wishes) {
      if (is_late(wish)) late.push_back(wish);
      if (!is_late(wish)) next = std::min(next, *wish.wait_until);
    }
    std::erase_if(line.wishes, is_late);
    if (!line.is_asking && !line.wishes.empty() && now >= line.due) {
      line.is_asking = true;
      due.push_back(std::move(line.wishes.front()));
      line.wishes.pop_front();
    }
    if (!line.is_asking && !line.wishes.empty()) next = std::min(next, line.due);
    place = line.wishes.empty() && !line.is_asking ? lines_.erase(place) : std::next(place);
  }
  waiting_ -= due.size() + late.size();
  return next;
}

void LockWaiters::run() {
  name_this_thread("mizan-waiters");
  MutexLock lock(mutex_);
  while (!closing_) {
    std::vector<LockWish> due;
    std::vector<LockWish> late;
    changed_ = false;
    const Instant next = look_through(options_.clock.now(), due, late);
    if (!due.empty() || !late.empty()) {
      lock.unlock();
      for (const LockWish& wish : late) answer_busy(wish, std::nullopt);
      for (LockWish& wish : due) attempt(std::move(wish), Turn::of_line);
      lock.lock();
      continue;
    }
    // Clients that go away are noticed within a second.
    constexpr std::chrono::nanoseconds longest = std::chrono::seconds{1};
    const auto slice = lines_.empty() ? longest : options_.clock.wait_slice(next);
    if (!changed_) wake_.wait_for(lock, std::min(slice, longest));
  }
}

}  // namespace mizan::http
