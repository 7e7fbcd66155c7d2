#include "webhook/delivery_queue.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mizan::webhook {
namespace {

using Places = std::vector<std::int64_t>;

Timestamp second(std::int64_t seconds) {
  return Timestamp(std::chrono::seconds(seconds));
}

Delivery delivery(std::int64_t place, std::vector<std::string> lanes) {
  Delivery made;
  made.record.place = EventPlace{place};
  made.lanes = std::move(lanes);
  return made;
}

Places take(DeliveryQueue& queue, std::int64_t now = 0) {
  Places places;
  for (const Delivery& one : queue.take_sendable(second(now))) {
    places.push_back(one.record.place.value());
  }
  return places;
}

/// As a courier does: with a record of its own.
void fail(DeliveryQueue& queue, Delivery one, std::int64_t due) {
  ++one.record.attempts;
  one.record.due = second(due);
  ++one.revision;
  queue.failed(std::move(one));
}

DeliveryQueue queue_of(std::vector<Delivery> deliveries, QueueOptions options = {}) {
  DeliveryQueue queue(EventPlace{0}, options);
  EventPlace last;
  for (Delivery& one : deliveries) {
    last = one.record.place;
    queue.add(std::move(one));
  }
  queue.read_until(last);
  return queue;
}

TEST(WebhookDeliveryQueue, sends_what_shares_no_wallet_at_once) {
  auto queue = queue_of({delivery(1, {"a", "b"}),
                         delivery(2, {"b"}),
                         delivery(3, {"c"}),
                         delivery(4, {"c", "a"}),
                         delivery(5, {"d"})});
  EXPECT_EQ(take(queue), (Places{1, 3, 5}));
  EXPECT_EQ(take(queue), Places()) << "the others wait for theirs";
  queue.delivered(EventPlace{3});
  EXPECT_EQ(take(queue), Places()) << "4 shares a with 1 too";
  queue.delivered(EventPlace{1});
  EXPECT_EQ(take(queue), (Places{2, 4}));
}

TEST(WebhookDeliveryQueue, what_has_no_wallet_waits_for_nobody) {
  auto queue = queue_of({delivery(1, {"a"}), delivery(2, {}), delivery(3, {})});
  EXPECT_EQ(take(queue), (Places{1, 2, 3}));
}

TEST(WebhookDeliveryQueue, no_more_are_in_flight_than_allowed) {
  QueueOptions options;
  options.in_flight_max = 2;
  auto queue = queue_of({delivery(1, {"a"}), delivery(2, {"b"}), delivery(3, {"c"})}, options);
  EXPECT_EQ(take(queue), (Places{1, 2}));
  EXPECT_EQ(queue.in_flight(), 2U);
  queue.delivered(EventPlace{2});
  EXPECT_EQ(take(queue), Places{3});
}

TEST(WebhookDeliveryQueue, a_failed_one_keeps_its_wallets_until_it_is_delivered_or_given_up) {
  auto queue = queue_of({delivery(1, {"a"}), delivery(2, {"a"}), delivery(3, {"b"})});
  EXPECT_EQ(take(queue), (Places{1, 3}));
  fail(queue, delivery(1, {"a"}), 10);
  EXPECT_EQ(take(queue, 9), Places()) << "neither it nor what comes after it";
  EXPECT_EQ(queue.next_due(), second(10));
  EXPECT_EQ(take(queue, 10), Places{1});
  queue.buried(EventPlace{1});
  EXPECT_EQ(take(queue, 10), Places{2});
}

TEST(WebhookDeliveryQueue, the_cursor_passes_what_is_delivered_or_recorded) {
  auto queue = queue_of({delivery(10, {"a"}), delivery(20, {"b"}), delivery(30, {"c"})});
  EXPECT_EQ(queue.cursor(), EventPlace{9});
  EXPECT_EQ(take(queue), (Places{10, 20, 30}));
  queue.delivered(EventPlace{20});
  EXPECT_EQ(queue.cursor(), EventPlace{9}) << "10 is under way";
  fail(queue, delivery(10, {"a"}), 5);
  EXPECT_EQ(queue.cursor(), EventPlace{29}) << "10 has a record";
  queue.delivered(EventPlace{30});
  queue.read_until(EventPlace{47});
  EXPECT_EQ(queue.cursor(), EventPlace{47}) << "what was read and is nothing for us counts";
}

TEST(WebhookDeliveryQueue, a_receiver_that_is_away_is_asked_by_one_delivery_at_a_time) {
  QueueOptions options;
  options.failures_in_a_row_max = 2;
  auto queue = queue_of(
      {delivery(1, {"a"}), delivery(2, {"b"}), delivery(3, {"c"}), delivery(4, {"d"})}, options);
  EXPECT_EQ(take(queue), (Places{1, 2, 3, 4}));
  for (const std::int64_t place : {1, 2, 3, 4}) fail(queue, delivery(place, {}), 1);
  EXPECT_EQ(take(queue, 1), Places{1});
  EXPECT_EQ(take(queue, 1), Places());
  queue.delivered(EventPlace{1});
  EXPECT_EQ(take(queue, 1), (Places{2, 3, 4})) << "it is back";
}

TEST(WebhookDeliveryQueue, what_waits_behind_a_failure_is_recorded_when_there_is_no_room) {
  QueueOptions options;
  options.window_max = 3;
  options.waiting_max = 3;
  auto queue = queue_of({delivery(1, {"a"}), delivery(2, {"a"}), delivery(3, {"a"})}, options);
  EXPECT_EQ(queue.room(), 0U);
  EXPECT_TRUE(queue.to_record().empty()) << "nobody has failed";
  EXPECT_EQ(take(queue), Places{1});
  fail(queue, delivery(1, {"a"}), 100);
  EXPECT_EQ(queue.room(), 1U);
  queue.add(delivery(4, {"b"}));
  queue.read_until(EventPlace{4});
  Places recorded;
  for (const Delivery& one : queue.to_record()) {
    recorded.push_back(one.record.place.value());
    queue.recorded(one.record.place, 1);
  }
  EXPECT_EQ(recorded, (Places{2, 3})) << "up to three records";
  EXPECT_EQ(queue.cursor(), EventPlace{3});
  EXPECT_EQ(queue.room(), 2U);
  EXPECT_EQ(take(queue), Places{4}) << "others go on";
}

TEST(WebhookDeliveryQueue, one_that_comes_back_from_long_ago_does_not_move_the_cursor_back) {
  DeliveryQueue queue(EventPlace{100});
  Delivery old = delivery(7, {"a"});
  old.revision = 1;
  queue.add(std::move(old));
  EXPECT_EQ(queue.cursor(), EventPlace{100});
  EXPECT_EQ(take(queue), Places{7});
  queue.delivered(EventPlace{7});
  EXPECT_EQ(queue.cursor(), EventPlace{100});
  EXPECT_TRUE(queue.is_idle());
}

TEST(WebhookDeliveryQueue, nothing_becomes_due_while_as_many_as_may_be_are_in_flight) {
  QueueOptions options;
  options.in_flight_max = 1;
  auto queue = queue_of({delivery(1, {"a"}), delivery(2, {"b"})}, options);
  EXPECT_EQ(take(queue), Places{1});
  EXPECT_FALSE(queue.next_due()) << "the second waits for the first, not for its time";
  queue.delivered(EventPlace{1});
  EXPECT_TRUE(queue.next_due());
}

}  // namespace
}  // namespace mizan::webhook
