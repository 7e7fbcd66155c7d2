#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"
#include "mizan/store.hpp"

#include "base/uuid.hpp"
#include "http/allowed_hosts.hpp"
#include "http/answers.hpp"
#include "http/event_waiters.hpp"
#include "http/exchange.hpp"
#include "http/key_ring.hpp"
#include "http/lock_waiters.hpp"
#include "http/log.hpp"
#include "http/memory_budget.hpp"
#include "http/metrics.hpp"
#include "http/query.hpp"
#include "http/readiness.hpp"
#include "http/workers.hpp"
#include "webhook/registry.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace mizan::http {

/// What handlers work with. Any thread.
struct Services {
  Ledger& ledger;
  Store& store;
  const Clock& clock;
  UuidGenerator& uuids;

  /// Operations go to the group commit without blocking; else each needs a thread while it lasts.
  bool submits = true;
  std::chrono::milliseconds answer_time{30'000};  ///< From a request's first byte to its answer.

  Workers& readers;  ///< Reads of the store.
  Workers& writers;  ///< Writes that block: wallets, strategies of their own, locks.
  Workers& batches;  ///< Reading, applying and writing out batches.
  LockWaiters& locks;
  EventWaiters& events;
  webhook::Registry& webhooks;
  Readiness& readiness;
  std::function<std::uint64_t()> epochs_drawn;
  AllowedHosts hosts;
  KeyRing* keys = nullptr;  ///< Null: nobody needs a key.
  Metrics& metrics;
  Log& log;
  std::atomic<std::size_t>& connections;
  std::atomic<std::size_t>& requests;  ///< In flight.
  std::atomic<bool>& draining;
  std::shared_ptr<MemoryBudget> bodies;   ///< Of what clients send.
  std::shared_ptr<MemoryBudget> answers;  ///< Of what is made for them and they have not taken.

  [[nodiscard]] Deadline deadline(const Exchange& exchange) const {
    return exchange.began + answer_time;
  }

  /// Until then; at least 0.
  [[nodiscard]] std::chrono::milliseconds time_left(const Exchange& exchange) const {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline(exchange) - clock.now());
    return std::max(left, std::chrono::milliseconds::zero());
  }
};

[[nodiscard]] inline json::ProblemContext problem_context(const Exchange& exchange) {
  return exchange.problem_context();
}

[[nodiscard]] Response overloaded(const Exchange& exchange);

/// To a request whose turn came after its deadline.
[[nodiscard]] Response out_of_time(const Exchange& exchange);

/// What the ledger is now, to be read until the request's deadline.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot_for(const Services& services,
                                                             const Exchange& exchange);

/// The problem that says what is wrong with a request, or went wrong with it.
[[nodiscard]] Response wrong(const Exchange& exchange, const Error& error);
[[nodiscard]] Response wrong(const Exchange& exchange, const json::InvalidRequest& invalid);

/// False: the answer may be large, and too many of those are there that nobody has taken.
[[nodiscard]] bool has_room_for_answer(const Services& services, const Exchange& exchange);

/// Runs `work(Services&, Exchange&) -> Response` on one of the workers and answers with what it
/// gives; refuses at once where too much waits, and unseen where the deadline came first.
template <class Work>
void answer_on(Workers& workers,
               Services& services,
               const std::shared_ptr<Exchange>& exchange,
               Work work) {
  const bool is_taken = workers.post([&services, exchange, work = std::move(work)] {
    const bool is_late = services.clock.now() >= services.deadline(*exchange);
    if (is_late) return exchange->answer(out_of_time(*exchange));
    if (!has_room_for_answer(services, *exchange)) return exchange->answer(overloaded(*exchange));
    exchange->answer(work(services, *exchange));
  });
  if (!is_taken) exchange->answer(overloaded(*exchange));
}

/// The handler of a route that `answer` answers on one of the workers.
template <Response (*Answer)(Services&, Exchange&)>
void on_reader(Services& services, const std::shared_ptr<Exchange>& exchange) {
  answer_on(services.readers, services, exchange, Answer);
}

template <Response (*Answer)(Services&, Exchange&)>
void on_writer(Services& services, const std::shared_ptr<Exchange>& exchange) {
  answer_on(services.writers, services, exchange, Answer);
}

/// The handler of a route that takes no parameters in its query: those are refused.
template <void (*Handle)(Services&, const std::shared_ptr<Exchange>&)>
void plain(Services& services, const std::shared_ptr<Exchange>& exchange) {
  const auto query = Query::read(exchange->request.target, {});
  if (!query) return exchange->answer(wrong(*exchange, query.error()));
  Handle(services, exchange);
}

}  // namespace mizan::http
