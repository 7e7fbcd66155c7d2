#include "cli_program.hpp"
#include "prove_scenarios.hpp"
#include "testkit/child_process.hpp"
#include "testkit/eventually.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/redis_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

// `mizan prove` with a lock in a Redis that is not its own.

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testkit::RedisServer;

class ProveRedis : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = RedisServer::why_missing()) {
      if (!testkit::is_required("redis")) GTEST_SKIP() << *missing;
      FAIL() << *missing;
    }
    auto server = RedisServer::start({.settings = {{"requirepass", "secret"}}});
    ASSERT_TRUE(server) << server.error().detail;
    server_ = std::move(*server);
    ASSERT_TRUE(server_->ask({"SET", "theirs", "kept"}));
  }

  [[nodiscard]] std::string ask(const std::vector<std::string>& words) const {
    const auto answer = server_->ask(words);
    return answer ? *answer : answer.error().detail;
  }

  /// Their key is there, and nothing else.
  [[nodiscard]] bool is_tidy() const {
    return ask({"DBSIZE"}) == "1" && ask({"GET", "theirs"}) == "kept";
  }

  [[nodiscard]] Program::Words words(Program::Words scenario) const {
    scenario.insert(scenario.begin(), "prove");
    scenario.insert(scenario.end(),
                    {"--lock", "redis://:secret@127.0.0.1:" + std::to_string(server_->port())});
    return scenario;
  }

  Program program_;
  std::unique_ptr<RedisServer> server_;
};

TEST_F(ProveRedis, the_lock_is_theirs_on_every_store_and_no_key_is_left_behind) {
  Program::Words arguments = words({"paused-holder", "wrong-unlock", "lock-renew-stall"});
  arguments.insert(arguments.end(), {"--store", "sqlite:"});
  if (const auto postgres = testkit::PostgresServer::shared()) {
    arguments.insert(arguments.end(), {"--store", (*postgres)->url()});
  }
  if (const auto mariadb = testkit::MariadbServer::shared()) {
    arguments.insert(arguments.end(), {"--store", (*mariadb)->url()});
  }
  const std::string before = ask({"INFO", "commandstats"});
  const Ran ran = program_.run(arguments);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("lock redis://127.0.0.1"));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("secret")));
  EXPECT_TRUE(is_tidy()) << ask({"KEYS", "*"});
  EXPECT_THAT(before, Not(HasSubstr("cmdstat_eval")));
  EXPECT_THAT(ask({"INFO", "commandstats"}), HasSubstr("cmdstat_eval"));
}

TEST_F(ProveRedis, what_only_redis_shows_is_shown_on_private_servers_with_the_bugs_planted_for_it) {
  const Ran ran =
      program_.run(with(with({"prove"}, what_only_redis_shows()), {"--strategy", "batched"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("SKIPPED")));
  const Ran planted = program_.run(with(with({"prove"}, what_only_redis_shows()), {"--self-test"}));
  EXPECT_EQ(planted.status, 0) << planted.out << planted.err;
  EXPECT_THAT(planted.out, HasSubstr("9 planted bugs: 9 caught by the right invariant\n"));
}

TEST_F(ProveRedis, what_would_disturb_it_is_skipped_and_says_what_to_pass) {
  const Ran ran = program_.run(words({"redis-flushed", "redis-down", "redis-failover"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("redis-flushed       SKIPPED"));
  EXPECT_THAT(ran.out, HasSubstr("redis-down          SKIPPED"));
  EXPECT_THAT(ran.out, HasSubstr("redis-failover      SKIPPED"));
  EXPECT_THAT(ran.out, HasSubstr("--allow-destructive"));
  EXPECT_THAT(ran.out, HasSubstr("--lab"));
  EXPECT_TRUE(is_tidy());
  EXPECT_THAT(ask({"INFO", "commandstats"}), Not(HasSubstr("flushall")));
}

TEST_F(ProveRedis, it_is_emptied_and_held_up_where_that_is_allowed) {
  const Ran ran = program_.run(
      words({"redis-flushed", "redis-down", "--strategy", "batched", "--allow-destructive"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("SKIPPED")));
  EXPECT_EQ(ask({"DBSIZE"}), "0") << ask({"KEYS", "*"});
}

TEST_F(ProveRedis, their_data_and_settings_stay_as_they_were_to_the_byte) {
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"HSET", "theirs:hash", "f", "v"},
                                             {"RPUSH", "{prove_1}:theirs", "1", "2"},
                                             {"SET", "theirs:ends", "x", "PXAT", "4102444800000"},
                                             {"SADD", "mizan:theirs", "m"}}) {
    ASSERT_TRUE(server_->ask(command));
  }
  const auto picture = [this] {
    std::string text = ask({"CONFIG", "GET", "*"});
    for (const char* key :
         {"theirs", "theirs:hash", "{prove_1}:theirs", "theirs:ends", "mizan:theirs"}) {
      text += ask({"DUMP", key}) + ask({"PEXPIRETIME", key});
    }
    return text + ask({"DBSIZE"});
  };
  const std::string before = picture();
  const Ran ran = program_.run(words({"paused-holder",
                                      "wrong-unlock",
                                      "lock-renew-stall",
                                      "redis-flushed",
                                      "redis-down",
                                      "redis-failover",
                                      "--strategy",
                                      "batched"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(picture(), before);
  const std::string commands = ask({"INFO", "commandstats"});
  for (const char* never : {"flush", "shutdown", "config|set", "client|pause", "replicaof"}) {
    EXPECT_THAT(commands, Not(HasSubstr(never)));
  }
}

TEST_F(ProveRedis, their_sentinels_fail_over_where_that_is_allowed) {
  auto group = testkit::RedisSentinelGroup::start();
  ASSERT_TRUE(group) << group.error().detail;
  ASSERT_TRUE((*group)->first().ask({"SET", "theirs", "kept"}));
  const Status copied = (*group)->await_replica();
  ASSERT_TRUE(copied) << copied.error().detail;
  ASSERT_EQ(*(*group)->second().ask({"GET", "theirs"}), "kept");
  const auto before = (*group)->master_port();
  ASSERT_TRUE(before);
  const std::string url =
      "redis+sentinel://127.0.0.1:" + std::to_string((*group)->sentinel().port()) + "/mizan";
  const Ran asked = program_.run({"prove", "redis-failover", "--lock", url});
  EXPECT_EQ(asked.status, 0) << asked.out << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("SKIPPED"));
  EXPECT_THAT(asked.out, HasSubstr("--allow-destructive"));
  EXPECT_EQ(*(*group)->master_port(), *before) << "nobody was asked to fail over";
  const Ran ran = program_.run({"prove", "redis-failover", "--lock", url, "--allow-destructive"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("redis-failover      PASS"));
  EXPECT_NE(*(*group)->master_port(), *before);
  const auto size = (*group)->second().ask({"DBSIZE"});
  ASSERT_TRUE(size);
  EXPECT_EQ(*size, "1") << "theirs, and nothing of ours: "
                        << *(*group)->second().ask({"KEYS", "*"});
}

TEST_F(ProveRedis, no_key_is_left_behind_when_the_prover_is_killed) {
  for (const int signal : {SIGINT, SIGKILL}) {
    Program::Words arguments = words({"paused-holder", "wrong-unlock"});
    arguments.insert(arguments.begin(), MIZAN_BINARY);
    auto prover = testkit::ChildProcess::start(arguments);
    ASSERT_TRUE(prover);
    ASSERT_TRUE(testkit::eventually([this] { return !is_tidy(); }, std::chrono::seconds{60}));
    ::kill(prover->pid(), signal);
    EXPECT_TRUE(testkit::eventually([this] { return is_tidy(); }, std::chrono::seconds{60}))
        << "after signal " << signal;
  }
}

TEST_F(ProveRedis, planted_bugs_of_the_lock_are_caught_there) {
  const Ran ran = program_.run(words({"wrong-unlock", "lock-renew-stall", "--self-test"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("4 planted bugs: 4 caught"));
  EXPECT_TRUE(is_tidy()) << ask({"KEYS", "*"});
}

}  // namespace
}  // namespace mizan::integration
