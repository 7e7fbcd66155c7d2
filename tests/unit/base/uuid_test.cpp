#include "base/uuid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mizan {
namespace {

class HandClock final : public Clock {
 public:
  [[nodiscard]] Timestamp wall_now() const override { return wall; }

  [[nodiscard]] Instant now() const override { return {}; }

  void sleep_until(Instant /*until*/) const override {}

  Timestamp wall{};
};

class Ones final : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
  }
};

TEST(Uuid, has_the_form_and_the_time_of_rfc_9562) {
  HandClock clock;
  // The example of RFC 9562, appendix A.6: 2022-02-22 14:22:22 -05:00.
  clock.wall = Timestamp{std::chrono::milliseconds{0x017f22e279b0}};
  SeededRandom random(1);
  UuidGenerator generator(clock, random);
  const std::string text = generator.next().str();
  EXPECT_THAT(text,
              ::testing::MatchesRegex("017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(Uuid, sets_every_random_bit_and_keeps_version_and_variant) {
  HandClock clock;
  Ones ones;
  UuidGenerator generator(clock, ones);
  // At time 0 the first counter starts below one half and is all ones there.
  EXPECT_EQ(generator.next().view(), "00000000-0000-7001-bfff-ffffffffffff");
  clock.wall = Timestamp{std::chrono::milliseconds{5}};
  EXPECT_EQ(generator.next().view(), "00000000-0005-77ff-bfff-ffffffffffff");
}

TEST(Uuid, grows_within_one_millisecond_also_beyond_the_counter) {
  HandClock clock;
  clock.wall = Timestamp{std::chrono::milliseconds{1'000'000}};
  SeededRandom random(2);
  UuidGenerator generator(clock, random);
  Uuid last = generator.next();
  for (int i = 0; i < 10'000; ++i) {
    const Uuid next = generator.next();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Uuid, grows_when_the_clock_goes_back) {
  HandClock clock;
  clock.wall = Timestamp{std::chrono::milliseconds{1'000'000}};
  SeededRandom random(3);
  UuidGenerator generator(clock, random);
  const Uuid before = generator.next();
  clock.wall = Timestamp{std::chrono::milliseconds{1'000}};
  const Uuid after = generator.next();
  EXPECT_LT(before, after);
  clock.wall = Timestamp{std::chrono::milliseconds{-5}};
  EXPECT_LT(after, generator.next());
}

TEST(Uuid, is_unique_and_grows_in_every_thread) {
  constexpr std::size_t threads = 4;
  constexpr std::size_t per_thread = 5'000;
  UuidGenerator generator(system_clock(), system_random());
  std::vector<std::vector<Uuid>> made(threads);
  {
    std::vector<std::jthread> running;
    for (std::vector<Uuid>& mine : made) {
      running.emplace_back([&] {
        for (std::size_t i = 0; i < per_thread; ++i) mine.push_back(generator.next());
      });
    }
  }
  std::set<Uuid> all;
  for (const std::vector<Uuid>& mine : made) {
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), threads * per_thread);
}

}  // namespace
}  // namespace mizan
