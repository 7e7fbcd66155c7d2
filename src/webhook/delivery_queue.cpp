#include "webhook/delivery_queue.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mizan::webhook {

std::size_t DeliveryQueue::count_recorded() const noexcept {
  return static_cast<std::size_t>(std::count_if(items_.begin(), items_.end(), [](const auto& item) {
    return item.second.delivery.revision != 0;
  }));
}

std::size_t DeliveryQueue::room() const noexcept {
  const std::size_t held = items_.size() - count_recorded();
  return held >= options_.window_max ? 0 : options_.window_max - held;
}

void DeliveryQueue::add(Delivery delivery) {
  const EventPlace place = delivery.record.place;
  items_.try_emplace(place, Item{std::move(delivery), false});
}

template <class Visit>
void DeliveryQueue::visit_first_of_lanes(Visit visit) const {
  std::set<std::string_view> taken;
  for (const auto& [place, item] : items_) {
    const auto& lanes = item.delivery.lanes;
    const bool is_first = std::none_of(
        lanes.begin(), lanes.end(), [&](const std::string& lane) { return taken.contains(lane); });
    taken.insert(lanes.begin(), lanes.end());
    if (is_first && !item.is_in_flight) visit(place, item.delivery);
  }
}

std::size_t DeliveryQueue::in_flight_most() const noexcept {
  const bool is_away = failures_in_a_row_ >= options_.failures_in_a_row_max;
  return is_away ? 1 : options_.in_flight_max;
}

std::vector<Delivery> DeliveryQueue::take_sendable(Timestamp now) {
  const std::size_t most = in_flight_most();
  std::vector<EventPlace> places;
  visit_first_of_lanes([&](EventPlace place, const Delivery& delivery) {
    if (in_flight_ + places.size() < most && delivery.record.due <= now) places.push_back(place);
  });
  std::vector<Delivery> sendable;
  for (const EventPlace place : places) {
    Item& item = items_.at(place);
    item.is_in_flight = true;
    ++in_flight_;
    sendable.push_back(item.delivery);
  }
  return sendable;
}

void DeliveryQueue::end(EventPlace place) {
  const auto item = items_.find(place);
  if (item == items_.end()) return;
  if (item->second.is_in_flight) --in_flight_;
  items_.erase(item);
}

void DeliveryQueue::delivered(EventPlace place) {
  failures_in_a_row_ = 0;
  end(place);
}

void DeliveryQueue::buried(EventPlace place) {
  ++failures_in_a_row_;
  end(place);
}

void DeliveryQueue::failed(Delivery delivery) {
  ++failures_in_a_row_;
  const auto item = items_.find(delivery.record.place);
  if (item == items_.end()) return;
  if (item->second.is_in_flight) --in_flight_;
  item->second = Item{std::move(delivery), false};
}

std::vector<Delivery> DeliveryQueue::to_record() const {
  std::vector<Delivery> chosen;
  if (room() > 0) return chosen;
  const std::size_t recorded = count_recorded();
  if (recorded == 0) return chosen;  // Nobody has failed yet: it is only slow.
  const std::size_t most = options_.waiting_max > recorded ? options_.waiting_max - recorded : 0;
  for (const auto& [place, item] : items_) {
    if (chosen.size() == most) break;
    if (item.delivery.revision == 0 && !item.is_in_flight) chosen.push_back(item.delivery);
  }
  return chosen;
}

void DeliveryQueue::recorded(EventPlace place, std::uint64_t revision) {
  const auto item = items_.find(place);
  if (item != items_.end()) item->second.delivery.revision = revision;
}

EventPlace DeliveryQueue::cursor() const {
  for (const auto& [place, item] : items_) {
    if (item.delivery.revision == 0 && place <= read_until_) {
      return EventPlace{place.value() - 1};
    }
  }
  return read_until_;
}

std::optional<Timestamp> DeliveryQueue::next_due() const {
  std::optional<Timestamp> next;
  if (in_flight_ >= in_flight_most()) return next;
  visit_first_of_lanes([&](EventPlace /*place*/, const Delivery& delivery) {
    if (!next || delivery.record.due < *next) next = delivery.record.due;
  });
  return next;
}

}  // namespace mizan::webhook
