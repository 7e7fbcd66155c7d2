#include "http/readiness.hpp"

#include "base/thread.hpp"
#include "http/answers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mizan::http {
namespace {

void answer(Exchange& exchange, const Status& ready) {
  exchange.answer(ready ? json_response(200, R"({"status":"ready"})")
                        : error_response(ready.error(), exchange.problem_context()));
}

Error silent() {
  return unavailable("readiness", "the store or the lock service did not answer in time");
}

}  // namespace

Readiness::Readiness(Options options)
    : options_(options),
      prober_([this] { probe_on_demand(); }),
      watcher_([this] { answer_late(); }) {}

Readiness::~Readiness() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  asked_.notify_all();
}

void Readiness::ask(std::shared_ptr<Exchange> exchange) {
  {
    const MutexLock lock(mutex_);
    waiting_.push_back({std::move(exchange), options_.clock.now() + options_.patience});
  }
  asked_.notify_all();
}

void Readiness::probe_on_demand() {
  name_this_thread("mizan-ready");
  MutexLock lock(mutex_);
  while (true) {
    while (waiting_.empty() && !closing_) asked_.wait(lock);
    if (waiting_.empty()) return;
    probed_ = std::exchange(waiting_, {});
    lock.unlock();
    const Status ready = probe();
    lock.lock();
    const Waitings asked = std::exchange(probed_, {});
    lock.unlock();
    for (const Waiting& one : asked) answer(*one.exchange, ready);
    lock.lock();
  }
}

void Readiness::answer_late() {
  name_this_thread("mizan-unready");
  MutexLock lock(mutex_);
  while (!closing_ || !probed_.empty() || !waiting_.empty()) {
    const Waitings& next = probed_.empty() ? waiting_ : probed_;
    if (next.empty()) {
      asked_.wait(lock);
      continue;
    }
    const auto slice = options_.clock.wait_slice(next.front().until);
    if (slice > std::chrono::nanoseconds::zero()) {
      asked_.wait_for(lock, slice);
      continue;
    }
    const Waitings late = take_late(options_.clock.now());
    lock.unlock();
    for (const Waiting& one : late) answer(*one.exchange, silent());
    lock.lock();
  }
}

Readiness::Waitings Readiness::take_late(Instant now) {
  Waitings late;
  for (Waitings* asked : {&probed_, &waiting_}) {
    const auto end = std::find_if(
        asked->begin(), asked->end(), [now](const Waiting& one) { return one.until > now; });
    late.insert(late.end(), std::make_move_iterator(asked->begin()), std::make_move_iterator(end));
    asked->erase(asked->begin(), end);
  }
  return late;
}

/// A connection that was good before is asked something too: it may lead to a server that hangs.
Status Readiness::probe() const {
  const Deadline deadline = options_.clock.now() + options_.patience;
  auto transaction = options_.store.begin(deadline);
  if (!transaction) return std::move(transaction).error();
  auto answered = (*transaction)->load_due_holds(Timestamp{}, 1);
  if (!answered) return std::move(answered).error();
  transaction->reset();
  if (options_.lock == nullptr) return {};
  auto findings = options_.lock->doctor();
  if (!findings) return std::move(findings).error();
  return {};
}

}  // namespace mizan::http
