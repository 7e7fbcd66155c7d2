#include "store/sqlite/turn.hpp"

#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace mizan::sqlite {
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

TEST(Turn, nobody_is_lost_among_many_that_come_and_go) {
  const Clock& clock = system_clock();
  Turn turn(clock, 1);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        if (!turn.take(clock.now() + std::chrono::seconds(60))) return;
        const int now = ++inside;
        if (now > most) most = now;
        --inside;
        ++done;
        turn.give_back();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(done, 800);
}

}  // namespace
}  // namespace mizan::sqlite
