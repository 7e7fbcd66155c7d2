#include "cli_hung.hpp"
#include "testkit/redis_server.hpp"

#include <string>

// The program whose lock accepts a connection and says nothing.

namespace mizan::integration {
namespace {

TEST(CliHung, redis_is_given_up_at_the_deadline_whatever_its_url_says) {
  const auto redis = start_server<testkit::RedisServer>("redis");
  if (redis == nullptr) GTEST_SKIP() << "no Redis";
  const Program program;
  program.make_ledger();
  redis->freeze();
  const std::string url = "redis://127.0.0.1:" + std::to_string(redis->port()) +
                          "?connect_timeout=30s&command_timeout=30s";
  expect_unavailable_in_time(program, {"lock", "acquire", "pay", "--lock", url});
  expect_unavailable_in_time(program, {"deposit", "alice", "1", "--lock", url});
  redis->thaw();
}

}  // namespace
}  // namespace mizan::integration
