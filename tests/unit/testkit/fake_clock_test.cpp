#include "testkit/fake_clock.hpp"

#include "testkit/eventually.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace mizan::testkit {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(fake_clock, begins_at_a_known_time_and_moves_both_clocks_together) {
  FakeClock clock;
  EXPECT_EQ(to_rfc3339(clock.wall_now()), "2026-01-01T12:00:00.000000Z");
  const Instant before = clock.now();
  clock.advance(milliseconds{1'500});
  EXPECT_EQ(clock.now() - before, milliseconds{1'500});
  EXPECT_EQ(to_rfc3339(clock.wall_now()), "2026-01-01T12:00:01.500000Z");
}

TEST(fake_clock, a_set_wall_clock_leaves_the_other_one_alone) {
  FakeClock clock;
  const Instant before = clock.now();
  clock.jump_wall(seconds{-3'600});
  EXPECT_EQ(to_rfc3339(clock.wall_now()), "2026-01-01T11:00:00.000000Z");
  EXPECT_EQ(clock.now(), before);
}

TEST(fake_clock, wakes_sleepers_when_their_time_has_come) {
  FakeClock clock;
  const Instant until = clock.now() + seconds{60};
  std::jthread sleeper([&] { clock.sleep_until(until); });
  ASSERT_TRUE(eventually([&] { return clock.sleepers() == 1; }));
  clock.advance(seconds{59});
  EXPECT_EQ(clock.sleepers(), 1U);
  clock.advance(seconds{1});
  EXPECT_TRUE(eventually([&] { return clock.sleepers() == 0; }));
}

TEST(fake_clock, may_move_on_by_itself_instead_of_sleeping) {
  FakeClock clock(FakeSleep::advances);
  const Instant until = clock.now() + seconds{60};
  clock.sleep_until(until);
  EXPECT_EQ(clock.now(), until);
  clock.sleep_until(until - seconds{1});
  EXPECT_EQ(clock.now(), until);
}

TEST(clock, a_wait_is_cut_into_slices_of_a_second) {
  const Clock& clock = system_clock();
  EXPECT_EQ(clock.wait_slice(clock.now() + seconds{60}), seconds{1});
  EXPECT_EQ(clock.wait_slice(Instant::max()), seconds{1});
  EXPECT_LE(clock.wait_slice(clock.now() + milliseconds{5}), milliseconds{5});
  EXPECT_EQ(clock.wait_slice(clock.now() - seconds{1}), seconds{0});
  EXPECT_EQ(clock.wait_slice(Instant{}), seconds{0});
}

}  // namespace
}  // namespace mizan::testkit
