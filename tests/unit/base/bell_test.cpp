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

TEST(bell, no_ring_is_missed_however_close_it_comes_to_the_wait) {
  Bell there;
  Bell back;
  std::atomic<int> sent{0};
  std::atomic<int> answered{0};
  constexpr int rounds = 20'000;
  const std::jthread echo([&] {
    for (int round = 1; round <= rounds; ++round) {
      wait_for(there, [&] { return sent >= round; });
      answered = round;
      back.ring();
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    sent = round;
    there.ring();
    wait_for(back, [&] { return answered >= round; });
  }
  EXPECT_EQ(answered, rounds);
}

}  // namespace
}  // namespace mizan
