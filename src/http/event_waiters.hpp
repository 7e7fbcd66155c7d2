#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"

#include "http/exchange.hpp"
#include "http/workers.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace mizan::http {

/// Events that a client asked for.
struct EventWish {
  std::shared_ptr<Exchange> exchange;
  EventQuery query;
  std::optional<Deadline> wait_until;   ///< Absent: what there is now.
  Deadline deadline = Deadline::max();  ///< Of the answer.
};

/// Answers clients with events; those who wait for some occupy no thread meanwhile.
/// Threads: any. Destruction answers everybody who still waits.
class EventWaiters {
 public:
  struct Options {
    Ledger& ledger;
    Store& store;  ///< The ledger's.
    const Clock& clock;
    Workers& readers;
    std::size_t waiting_max = 8'192;
  };

  explicit EventWaiters(Options options);
  EventWaiters(const EventWaiters&) = delete;
  EventWaiters& operator=(const EventWaiters&) = delete;
  ~EventWaiters();

  /// Answers the wish's exchange, now or later.
  void ask(EventWish wish);

  /// Those who wait now, for metrics.
  [[nodiscard]] std::size_t waiting() const;

  /// Answers everybody who waits with no events; nobody waits from now on.
  void close();

 private:
  class State;
  std::shared_ptr<State> state_;  // Shared with the handlers that the ledger keeps.
};

}  // namespace mizan::http
