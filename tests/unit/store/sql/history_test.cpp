#include "store/sql/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mizan::sql {
namespace {

TEST(History, an_entry_jumps_to_the_last_multiple_of_the_next_power_of_sixteen) {
  constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 14> jumps = {{{1, 0},
                                                                              {15, 0},
                                                                              {16, 0},
                                                                              {17, 16},
                                                                              {31, 16},
                                                                              {32, 0},
                                                                              {255, 240},
                                                                              {256, 0},
                                                                              {257, 256},
                                                                              {272, 256},
                                                                              {512, 0},
                                                                              {4'096, 0},
                                                                              {4'352, 4'096},
                                                                              {8'207, 8'192}}};
  for (const auto& [version, target] : jumps) {
    EXPECT_EQ(jump_version(version), target) << "version " << version;
  }
}

TEST(History, a_version_at_the_end_of_64_bits_jumps_without_wrapping) {
  EXPECT_EQ(jump_version(UINT64_MAX), UINT64_MAX - 15);
  EXPECT_LT(jump_version(std::uint64_t{1} << 63), std::uint64_t{1} << 63);
}

TEST(History, every_version_below_a_million_is_reached_in_few_steps) {
  constexpr std::uint64_t newest = 999'999;
  std::uint64_t worst = 0;
  for (std::uint64_t wanted = 1; wanted <= newest; wanted += 997) {
    std::uint64_t steps = 0;
    for (std::uint64_t at = newest; at != wanted; ++steps) {
      const std::uint64_t jump = jump_version(at);
      at = jump != 0 && jump >= wanted ? jump : at - 1;
    }
    worst = std::max(worst, steps);
  }
  // A million is five digits to the base of sixteen. Below the digit at place k, each of up to
  // fifteen steps to the next smaller one costs one look-up to leave it and k to come up again.
  EXPECT_LE(worst, 15U * (1 + 2 + 3 + 4 + 5));
}

TEST(History, links_survive_being_written_and_read) {
  const Sequence sequence{1'000'000};
  const EntryLinks from{Sequence{999'999}, Sequence{1}};
  const EntryLinks to{Sequence{}, Sequence{}};
  const EncodedLinks encoded(sequence, from, to);
  const auto decoded = decode_links(sequence, encoded.bytes());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->from, from);
  EXPECT_EQ(decoded->to, to);
}

TEST(History, links_at_the_end_of_the_range_survive) {
  const Sequence sequence{INT64_MAX};
  const EntryLinks far{Sequence{1}, Sequence{1}};
  const EncodedLinks encoded(sequence, far, far);
  const auto decoded = decode_links(sequence, encoded.bytes());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->from, far);
  EXPECT_EQ(decoded->to, far);
}

TEST(History, damaged_links_are_noticed) {
  const EncodedLinks encoded(Sequence{10}, {Sequence{9}, Sequence{}}, {Sequence{5}, Sequence{1}});
  const auto bytes = encoded.bytes();
  EXPECT_FALSE(decode_links(Sequence{10}, bytes.first(3))) << "cut";
  EXPECT_FALSE(decode_links(Sequence{3}, bytes)) << "back beyond the beginning";
  const std::array<std::byte, 5> longer{};
  EXPECT_FALSE(decode_links(Sequence{10}, longer)) << "more than four numbers";
  std::array<std::byte, 12> endless{};
  endless.fill(std::byte{0xff});
  EXPECT_FALSE(decode_links(Sequence{10}, endless)) << "a number without an end";
}

}  // namespace
}  // namespace mizan::sql
