#include "base/bell.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace mizan {
namespace {

TEST(bell, waiting_for_a_ring_that_has_been_returns_at_once) {
  Bell bell;
  const auto seen = bell.rings();
  bell.ring();
  EXPECT_NE(bell.rings(), seen);
  bell.wait(seen);  // Would block for ever.
}

template <class Done>
void wait_for(Bell& bell, Done done) {
  for (auto seen = bell.rings(); !done(); seen = bell.rings()) bell.wait(seen);
}

TEST(bell, one_ring_wakes_everybody) {
  constexpr int waiters_count = 8;
  Bell bell;
  std::atomic<bool> done{false};
  std::atomic<int> woken{0};
  const auto wait = [&] {
    wait_for(bell, [&] { return done.load(); });
    ++woken;
  };
  std::vector<std::jthread> waiters;
  waiters.reserve(waiters_count);
  for (int i = 0; i < waiters_count; ++i) waiters.emplace_back(wait);
  done = true;
  bell.ring();
  waiters.clear();  // Would wait for ever for one who was not woken.
  EXPECT_EQ(woken, waiters_count);
}

/// One direction of a conversation.
struct Wire {
  Bell bell;
  std::atomic<int> said{0};

  void say(int round) {
    said = round;
    bell.ring();
  }

  void hear(int round) {
    wait_for(bell, [&] { return said >= round; });
  }
};

TEST(bell, no_ring_is_missed_however_close_it_comes_to_the_wait) {
  constexpr int rounds = 20'000;
  Wire there;
  Wire back;
  std::jthread echo([&] {
    for (int round = 1; round <= rounds; ++round) {
      there.hear(round);
      back.say(round);
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    there.say(round);
    back.hear(round);
  }
  echo.join();
  EXPECT_EQ(back.said, rounds);
}

}  // namespace
}  // namespace mizan
