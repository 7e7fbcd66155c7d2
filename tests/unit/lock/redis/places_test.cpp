#include "lock/redis/places.hpp"

#include "lock/redis/cluster_map.hpp"
#include "lock/redis/doctor.hpp"
#include "lock/redis/epochs.hpp"
#include "lock/redis/pool.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace mizan::redis {
namespace {

TEST(RedisPlaces, slots_are_those_of_the_cluster_specification) {
  EXPECT_EQ(slot_of_tag("123456789"), 0x31c3) << "the check value of CRC-16/XMODEM";
  EXPECT_EQ(slot_of_tag(""), 0);
  EXPECT_EQ(slot_of_tag("foo"), 12'182) << "as CLUSTER KEYSLOT answers";
}

TEST(RedisPlaces, all_keys_of_a_resource_share_a_tag) {
  const Place place = place_of("mizan", Resource{"wallet/{alice}"});
  const std::string tag = place.lease.substr(0, place.lease.find('}') + 1);
  EXPECT_TRUE(place.counter.starts_with(tag));
  EXPECT_TRUE(channel_of("mizan", place.bucket).starts_with(tag));
  EXPECT_EQ(place.slot, slot_of_tag(tag.substr(1, tag.size() - 2)));
  EXPECT_TRUE(place.lease.ends_with(":lease:wallet/{alice}"));
}

TEST(RedisPlaces, buckets_never_change) {
  // Programs of different versions share locks: another bucket would be another lock.
  EXPECT_EQ(place_of("mizan", Resource{"wallet/alice"}).counter, "{mizan:20}:counter");
  EXPECT_EQ(place_of("mizan", Resource{"a"}).counter, "{mizan:00}:counter");
}

TEST(RedisPlaces, resources_spread_over_the_buckets) {
  std::set<std::size_t> buckets;
  for (int number = 0; number < 1'000; ++number) {
    buckets.insert(bucket_of(Resource{"wallet/" + std::to_string(number)}));
  }
  EXPECT_EQ(buckets.size(), bucket_count);
}

TEST(RedisMarks, tokens_order_by_epoch_then_sequence) {
  EXPECT_LT(to_token({1, sequence_max}), to_token({2, 1}));
  EXPECT_LT(to_token({2, 1}), to_token({2, 2}));
  EXPECT_EQ(to_token({1, 1}).value(), (std::int64_t{1} << 30U) + 1);
  EXPECT_GT(to_token({epoch_max, sequence_max}).value(), 0) << "within 63 bits";
}

TEST(RedisMarks, the_clock_counts_ten_minutes_since_2020) {
  using namespace std::chrono;
  constexpr sys_days begin = year{2020} / 1 / 1;
  EXPECT_EQ(clock_epoch(begin), 0);
  EXPECT_EQ(clock_epoch(begin + 25min), 2);
  EXPECT_EQ(clock_epoch(begin - 1h), 0);
  EXPECT_LT(to_token({clock_epoch(sys_days{year{2150} / 1 / 1}), sequence_max}).value(),
            std::int64_t{1} << 53U)
      << "exact in JSON everywhere";
}

Reply error(std::string text) {
  Reply reply;
  reply.kind = Reply::Kind::error;
  reply.text = std::move(text);
  return reply;
}

TEST(RedisCluster, redirections_are_read) {
  const RedisAddress asked{"asked", 1};
  const auto moved = read_redirection(error("MOVED 3999 10.0.0.1:7001"), asked);
  ASSERT_TRUE(moved);
  EXPECT_TRUE(moved->for_good);
  EXPECT_EQ(to_text(moved->address), "10.0.0.1:7001");
  const auto ask = read_redirection(error("ASK 3999 ::1:7001"), asked);
  ASSERT_TRUE(ask);
  EXPECT_FALSE(ask->for_good);
  EXPECT_EQ(to_text(ask->address), "[::1]:7001");
  EXPECT_EQ(read_redirection(error("MOVED 1 :7001"), asked)->address.host, "asked");
  EXPECT_EQ(read_redirection(error("MOVED 1 ?:7001"), asked)->address.host, "asked");
  for (const char* none : {"MOVED",
                           "MOVED 1 host",
                           "MOVED 1 host:0",
                           "MOVED 1 host:99999",
                           "MOVED 1 host:x",
                           "ERR MOVED 1 host:1",
                           ""}) {
    EXPECT_FALSE(read_redirection(error(none), asked)) << none;
  }
}

Reply number(std::int64_t value) {
  Reply reply;
  reply.kind = Reply::Kind::integer;
  reply.integer = value;
  return reply;
}

Reply text(std::string value) {
  Reply reply;
  reply.kind = Reply::Kind::text;
  reply.text = std::move(value);
  return reply;
}

Reply list(std::vector<Reply> items) {
  Reply reply;
  reply.kind = Reply::Kind::array;
  reply.items = std::move(items);
  return reply;
}

TEST(RedisCluster, slots_are_found_and_moved) {
  const Reply slots =
      list({list({number(0), number(99), list({text("one"), number(7'001), text("id")})}),
            list({number(100), number(16'383), list({text(""), number(7'002)})}),
            list({number(5), number(4), list({text("backwards"), number(1)})}),
            text("nonsense")});
  ClusterMap map = ClusterMap::read(slots, {"asked", 7'000});
  EXPECT_EQ(to_text(*map.find(0)), "one:7001");
  EXPECT_EQ(to_text(*map.find(99)), "one:7001");
  EXPECT_EQ(to_text(*map.find(16'383)), "asked:7002");
  EXPECT_EQ(map.masters().size(), 2U);
  map.move(99, {"two", 7'003});
  map.move(99, {"three", 7'004});
  EXPECT_EQ(to_text(*map.find(99)), "three:7004");
  EXPECT_EQ(to_text(*map.find(98)), "one:7001");
  EXPECT_TRUE(ClusterMap::read(error("ERR no cluster"), {"asked", 1}).is_empty());
  EXPECT_FALSE(ClusterMap().find(1));
}

TEST(RedisPatience, grows_with_failures_and_ends_with_success) {
  const Error gone = unavailable("test", "gone");
  const Instant start{std::chrono::seconds{100}};
  Patience patience;
  EXPECT_FALSE(patience.refusal(start));
  patience.failed(gone, start);
  ASSERT_TRUE(patience.refusal(start));
  EXPECT_EQ(patience.refusal(start)->detail, "gone");
  EXPECT_FALSE(patience.refusal(start + std::chrono::milliseconds{20}));
  for (int failure = 0; failure < 20; ++failure) patience.failed(gone, start);
  EXPECT_TRUE(patience.refusal(start + std::chrono::milliseconds{900})) << "half of the longest";
  EXPECT_FALSE(patience.refusal(start + std::chrono::milliseconds{2'000})) << "at most";
  patience.worked();
  EXPECT_FALSE(patience.refusal(start));
}

TEST(RedisErrors, say_whether_to_try_again) {
  EXPECT_EQ(to_error("x", error("READONLY replica")).retry, Retry::after_backoff);
  EXPECT_EQ(to_error("x", error("OOM no memory")).code, Code::unavailable);
  EXPECT_EQ(to_error("x", error("NOPERM no")).code, Code::unavailable);
  EXPECT_EQ(to_error("x", error("NOPERM no")).retry, Retry::never);
  EXPECT_EQ(to_error("x", error("WRONGTYPE of key")).code, Code::internal);
  EXPECT_EQ(to_error("x", error("ERR whatever")).code, Code::internal);
  EXPECT_EQ(to_error("x", error("ERR \x1b[31m\n")).detail.find('\x1b'), std::string::npos);
}

TEST(RedisErrors, of_a_wrong_url_name_what_to_mend) {
  struct Wrong {
    const char* what;
    const char* reply;
    const char* advice;
  };

  constexpr Wrong wrongs[] = {
      {"SELECT", "ERR DB index is out of range", "names a database"},
      {"CLUSTER SLOTS", "ERR This instance has cluster support disabled", "redis://"},
      {"acquire", "MOVED 13989 127.0.0.1:7000", "redis+cluster://"},
  };
  for (const Wrong& wrong : wrongs) {
    const Error told = to_error(wrong.what, error(wrong.reply));
    EXPECT_EQ(told.code, Code::invalid_request) << wrong.reply;
    EXPECT_EQ(told.certainty, Certainty::not_applied);
    EXPECT_EQ(told.retry, Retry::never);
    EXPECT_NE(told.detail.find("--lock"), std::string::npos) << told.detail;
    EXPECT_NE(told.detail.find(wrong.advice), std::string::npos) << told.detail;
    EXPECT_NE(told.detail.find(wrong.reply), std::string::npos) << told.detail;
  }
}

TEST(RedisDoctor, judges_what_info_says) {
  const auto level = [](std::string_view info, std::size_t index) {
    return judge(info, "host:1")[index].level;
  };
  const std::string good =
      "# Server\r\nredis_version:7.0.15\r\nrole:master\r\nmaxmemory:0\r\n"
      "maxmemory_policy:noeviction\r\naof_enabled:1\r\n";
  for (std::size_t index = 0; index < 4; ++index) {
    EXPECT_EQ(level(good, index), Finding::Level::ok) << index;
  }
  const std::string bad =
      "\nredis_version:4.0.1\r\nrole:slave\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n"
      "aof_enabled:0\r\n";
  EXPECT_EQ(level(bad, 0), Finding::Level::problem);
  EXPECT_EQ(level(bad, 1), Finding::Level::problem);
  EXPECT_EQ(level(bad, 2), Finding::Level::problem);
  EXPECT_EQ(level(bad, 3), Finding::Level::warning);
  EXPECT_EQ(level("", 1), Finding::Level::problem) << "a server that says nothing is not trusted";
  const std::string valkey = "\nredis_version:7.2.4\r\nvalkey_version:8.0.0\r\n";
  EXPECT_EQ(judge(valkey, "host:1")[0].detail, "Valkey 8.0.0");
}

}  // namespace
}  // namespace mizan::redis
