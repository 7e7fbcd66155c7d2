#pragma once

#include "mizan/clock.hpp"
#include "mizan/event_log.hpp"

#include "webhook/webhook.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mizan::webhook {

/// An event on its way to one receiver.
struct Delivery {
  DeliveryRecord record;
  std::string body;
  std::vector<std::string> lanes;  ///< The wallets: of each, one delivery at a time, in order.
  std::uint64_t revision = 0;      ///< Of its record in the store; 0: it has none.
};

struct QueueOptions {
  std::size_t window_max = 256;     ///< Events behind the cursor without a record of their own.
  std::size_t in_flight_max = 4;    ///< Deliveries at once.
  std::size_t waiting_max = 1'000;  ///< Deliveries with a record; then the cursor stands still.

  /// After so many failures in a row the receiver is taken to be away: one delivery at a time.
  std::size_t failures_in_a_row_max = 4;
};

/// What one webhook has to deliver: what may be sent next, and how far the cursor may go. In order
/// along each lane: a delivery waits for those before it that share one, however often they fail.
/// Time is passed in; no thread, no I/O. One thread at a time.
class DeliveryQueue {
 public:
  explicit DeliveryQueue(EventPlace cursor, QueueOptions options = {})
      : options_(options), read_until_(cursor) {}

  /// How many more events may be read.
  [[nodiscard]] std::size_t room() const noexcept;

  /// An event after all that were added before, or one that has a record and was passed earlier.
  void add(Delivery delivery);

  /// Everything up to here has been added, or is nothing for this webhook.
  void read_until(EventPlace place) noexcept { read_until_ = place; }

  [[nodiscard]] EventPlace read_until() const noexcept { return read_until_; }

  [[nodiscard]] bool has(EventPlace place) const { return items_.contains(place); }

  /// Those that may be sent now; they count as in flight until one of the answers below.
  [[nodiscard]] std::vector<Delivery> take_sendable(Timestamp now);

  void delivered(EventPlace place);

  /// Goes on waiting, with what is known of it now.
  void failed(Delivery delivery);

  /// Given up: those behind it may go.
  void buried(EventPlace place);

  /// Those that must get a record for the cursor to go on; none while there is room.
  [[nodiscard]] std::vector<Delivery> to_record() const;

  /// It has a record of this revision.
  void recorded(EventPlace place, std::uint64_t revision);

  /// Everything up to here is delivered or has a record.
  [[nodiscard]] EventPlace cursor() const;

  /// When the next one becomes due, where one waits for its time alone: not for one in flight.
  [[nodiscard]] std::optional<Timestamp> next_due() const;

  [[nodiscard]] bool is_idle() const noexcept { return items_.empty(); }

  [[nodiscard]] std::size_t in_flight() const noexcept { return in_flight_; }

 private:
  struct Item {
    Delivery delivery;
    bool is_in_flight = false;
  };

  /// Calls `visit` for each item whose lanes are free of earlier ones and that is not in flight.
  template <class Visit>
  void visit_first_of_lanes(Visit visit) const;

  void end(EventPlace place);
  [[nodiscard]] std::size_t in_flight_most() const noexcept;
  [[nodiscard]] std::size_t count_recorded() const noexcept;

  QueueOptions options_;
  EventPlace read_until_;
  std::map<EventPlace, Item> items_;
  std::size_t in_flight_ = 0;
  std::size_t failures_in_a_row_ = 0;
};

}  // namespace mizan::webhook
