#include "store/sql/turn.hpp"

#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace mizan::sql {
namespace {

TEST(Turn, admits_as_many_as_it_is_told) {
  const testkit::FakeClock clock;
  Turn turn(clock, 2);
  EXPECT_TRUE(turn.take(clock.now()));
  EXPECT_TRUE(turn.take(clock.now()));
  EXPECT_FALSE(turn.take(clock.now()));
  turn.give_back();
  EXPECT_TRUE(turn.take(clock.now()));
}

TEST(Turn, a_waiter_gives_up_when_its_clock_passes_the_deadline) {
  testkit::FakeClock clock;
  Turn turn(clock, 1);
  ASSERT_TRUE(turn.take(clock.now()));
  const Deadline deadline = clock.now() + std::chrono::seconds(10);
  bool taken = true;
  std::thread waiter([&] { taken = turn.take(deadline); });
  clock.advance(std::chrono::seconds(11));
  waiter.join();
  EXPECT_FALSE(taken);
  turn.give_back();
  EXPECT_TRUE(turn.take(clock.now()));
}

/// What threads that come and go see of a turn.
struct Traffic {
  explicit Traffic(Turn& turn_to_take) : turn(turn_to_take) {}

  void come_and_go(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      if (!turn.take(system_clock().now() + std::chrono::seconds(60))) return;
      if (++inside > 1) crowded = true;
      --inside;
      ++done;
      turn.give_back();
    }
  }

  Turn& turn;
  std::atomic<int> inside = 0;
  std::atomic<bool> crowded = false;
  std::atomic<int> done = 0;
};

TEST(Turn, nobody_is_lost_among_many_that_come_and_go) {
  Turn turn(system_clock(), 1);
  Traffic traffic(turn);
  std::vector<std::thread> threads(4);
  for (std::thread& thread : threads) {
    thread = std::thread([&traffic] { traffic.come_and_go(200); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(traffic.crowded);
  EXPECT_EQ(traffic.done, 800);
}

}  // namespace
}  // namespace mizan::sql
