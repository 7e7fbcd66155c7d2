#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace mizan {
namespace {

std::vector<std::uint64_t> draw(Random& random, std::size_t count) {
  std::vector<std::uint64_t> drawn(count);
  std::generate(drawn.begin(), drawn.end(), [&] { return random.next(); });
  return drawn;
}

TEST(SeededRandom, gives_the_same_numbers_for_the_same_seed) {
  SeededRandom first(7);
  SeededRandom second(7);
  SeededRandom other(8);
  const std::vector<std::uint64_t> numbers = draw(first, 100);
  EXPECT_EQ(numbers, draw(second, 100));
  EXPECT_NE(numbers, draw(other, 100));
}

// The published reference: splitmix64 from 0 begins with these words, which seed the state; the
// first xoshiro256** output is rotl(s[1] * 5, 7) * 9.
TEST(SeededRandom, follows_the_published_algorithm) {
  SeededRandom random(0);
  constexpr std::uint64_t second_splitmix_word = 0x6e789e6aa1b965f4U;
  constexpr std::uint64_t times_five = second_splitmix_word * 5;
  constexpr std::uint64_t rotated = (times_five << 7U) | (times_five >> 57U);
  EXPECT_EQ(random.next(), rotated * 9);
}

TEST(SeededRandom, fills_a_span_of_any_size) {
  for (std::size_t size = 0; size < 20; ++size) {
    SeededRandom random(1);
    std::vector<std::byte> bytes(size + 1, std::byte{0});
    random.fill(std::span(bytes).first(size));
    EXPECT_EQ(bytes.back(), std::byte{0}) << "wrote beyond " << size;
  }
}

TEST(Random, below_reaches_every_value_and_none_beyond) {
  SeededRandom random(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, the_systems_randomness_does_not_repeat) {
  EXPECT_NE(draw(system_random(), 4), draw(system_random(), 4));
}

}  // namespace
}  // namespace mizan
