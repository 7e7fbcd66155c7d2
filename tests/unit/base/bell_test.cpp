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

TEST(bell, one_ring_wakes_everybody) {
  Bell bell;
  std::atomic<bool> done{false};
  std::atomic<int> woken{0};
  {
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 8; ++i) {
      waiters.emplace_back([&] {
        for (auto seen = bell.rings(); !done; seen = bell.rings()) bell.wait(seen);
        ++woken;
      });
    }
    done = true;
    bell.ring();
  }
  EXPECT_EQ(woken, 8);
}

TEST(bell, no_ring_is_missed_however_close_it_comes_to_the_wait) {
  Bell there;
  Bell back;
  std::atomic<int> sent{0};
  std::atomic<int> answered{0};
  constexpr int rounds = 20'000;
  const std::jthread echo([&] {
    for (int round = 1; round <= rounds; ++round) {
      for (auto seen = there.rings(); sent < round; seen = there.rings()) there.wait(seen);
      answered = round;
      back.ring();
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    sent = round;
    there.ring();
    for (auto seen = back.rings(); answered < round; seen = back.rings()) back.wait(seen);
  }
  EXPECT_EQ(answered, rounds);
}

}  // namespace
}  // namespace mizan
