#include "cli_program.hpp"
#include "testkit/redis_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <regex>
#include <string>

// The program with its lock in Redis.

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testkit::RedisServer;

class CliRedis : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = RedisServer::start();
    if (!server) {
      const auto missing = RedisServer::why_missing();
      if (missing && !testkit::is_required("redis")) GTEST_SKIP() << *missing;
      FAIL() << server.error().detail;
    }
    server_ = std::move(*server);
    url_ = "redis://127.0.0.1:" + std::to_string(server_->port());
    program_.make_ledger();
  }

  [[nodiscard]] Ran run(Program::Words words) const {
    words.insert(words.end(), {"--lock", url_});
    return program_.run(words);
  }

  Program program_;
  std::unique_ptr<RedisServer> server_;
  std::string url_;
};

TEST_F(CliRedis, a_service_that_is_away_is_told_without_a_word_about_money) {
  const Ran ran =
      program_.run({"lock", "release", "pay", "--owner", "me", "--lock", "redis://127.0.0.1:1"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("try again"));
  EXPECT_THAT(ran.err, Not(HasSubstr("applied")));
}

TEST_F(CliRedis, a_lock_is_acquired_renewed_and_released_by_its_owner) {
  const Ran acquired = run({"lock", "acquire", "pay", "--lock-ttl", "60s", "--json"});
  ASSERT_EQ(acquired.status, 0) << acquired.err;
  const json lease = json::parse(acquired.out);
  const std::string owner = lease["owner"];
  EXPECT_EQ(run({"lock", "acquire", "pay"}).status, 3);
  EXPECT_EQ(run({"lock", "renew", "pay", "--owner", "somebody"}).status, 2);
  EXPECT_EQ(run({"lock", "renew", "pay", "--owner", owner}).status, 0);
  EXPECT_EQ(run({"lock", "release", "pay", "--owner", owner}).status, 0);
  ASSERT_TRUE(server_->ask({"FLUSHALL"}));
  const Ran next = run({"lock", "acquire", "pay", "--json"});
  ASSERT_EQ(next.status, 0) << next.err;
  EXPECT_GT(json::parse(next.out)["token"], lease["token"]) << "ordered by the ledger's file";
}

TEST_F(CliRedis, operations_are_locked_and_fenced) {
  EXPECT_EQ(run({"transfer", "alice", "bob", "5"}).status, 0);
  // As another node of the ledger would hold it: no client can state that name.
  const auto counter = server_->ask({"KEYS", "*:counter"});
  ASSERT_TRUE(counter);
  const auto epoch = server_->ask({"HGET", *counter, "epoch"});
  ASSERT_TRUE(epoch);
  const std::string bucket = counter->substr(0, counter->find(":counter"));
  ASSERT_TRUE(server_->ask(
      {"SET", bucket + ":lease:mizan:wallet/alice", *epoch + " 9 another", "PX", "60000"}));
  const Ran busy = run({"transfer", "alice", "bob", "5", "--deadline", "300ms", "--json"});
  EXPECT_EQ(busy.status, 3);
  EXPECT_THAT(busy.out, HasSubstr("lock_busy"));
}

TEST_F(CliRedis, without_the_server_the_policy_decides) {
  server_->kill();
  const Ran refused = run({"deposit", "alice", "1", "--deadline", "300ms", "--json"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.out, HasSubstr("unavailable"));
  const Ran applied = run({"deposit", "alice", "1", "--lock-policy", "proceed"});
  EXPECT_EQ(applied.status, 0) << applied.err;
}

/// The server keeps every command that writes until it is told to go on, and answers others.
TEST_F(CliRedis, an_answer_that_is_lost_leaves_a_lock_unknown_and_its_owner_is_told) {
  url_ += "?connect_timeout=20s";
  const Program::Words acquire{"lock", "acquire", "pay", "--lock-ttl", "60s", "--json"};
  Program::Words by_owner = acquire;
  by_owner.insert(by_owner.end(), {"--owner", "before"});
  ASSERT_EQ(run(by_owner).status, 0) << "the first one needs an epoch";
  ASSERT_EQ(run({"lock", "release", "pay", "--owner", "before"}).status, 0);
  ASSERT_TRUE(server_->ask({"CLIENT", "PAUSE", "600000", "WRITE"}));
  const Ran lost = run(acquire);
  ASSERT_EQ(lost.status, 4) << lost.out << lost.err;
  const json problem = json::parse(lost.out);
  EXPECT_EQ(problem["applied"], "unknown");
  const std::string detail = problem["detail"];
  std::smatch owner;
  ASSERT_TRUE(std::regex_search(detail, owner, std::regex("--owner ([^ ;]+)"))) << detail;
  for (const Program::Words& words : {Program::Words{"lock", "renew", "pay", "--owner", owner[1]},
                                      Program::Words{"lock", "release", "pay", "--owner", "me"},
                                      Program::Words{"lock", "run", "pay", "--", "echo", "ran"}}) {
    Program::Words all{"--lock", url_};
    all.insert(all.end(), words.begin(), words.end());
    const Ran ran = program_.run(all);
    EXPECT_EQ(ran.status, 4) << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("is not known"), Not(HasSubstr("nothing was applied"))));
    EXPECT_EQ(ran.out, "");
  }
  ASSERT_TRUE(server_->ask({"CLIENT", "UNPAUSE"}));
  by_owner.back() = owner[1];
  EXPECT_EQ(run(by_owner).status, 0);
  EXPECT_EQ(run(acquire).status, 3) << "held by who repeated it";
}

TEST_F(CliRedis, a_lock_in_doubt_leaves_no_doubt_about_the_operation) {
  url_ += "?connect_timeout=20s";
  ASSERT_EQ(run({"deposit", "alice", "1"}).status, 0);
  ASSERT_TRUE(server_->ask({"CLIENT", "PAUSE", "600000", "WRITE"}));
  const Ran refused = run({"deposit", "alice", "1", "--deadline", "300ms", "--json"});
  EXPECT_EQ(refused.status, 3) << refused.out;
  EXPECT_EQ(json::parse(refused.out)["applied"], "no");
  const Ran applied = run({"deposit", "alice", "1", "--lock-policy", "proceed"});
  EXPECT_EQ(applied.status, 0) << applied.err;
}

TEST_F(CliRedis, the_doctor_looks_at_the_server_too) {
  const Ran fine = run({"doctor"});
  EXPECT_EQ(fine.status, 0) << fine.out << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("ordered by the database"));
  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "maxmemory", "100mb"}));
  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"}));
  EXPECT_EQ(run({"doctor"}).status, 2);
}

TEST_F(CliRedis, a_password_comes_from_the_environment_and_is_not_shown) {
  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "requirepass", "sesame"}));
  const std::string command = "mizan lock acquire pay --lock " + url_ + " 2>&1";
  const Ran refused = program_.shell("MIZAN_REDIS_PASSWORD=wrong-word " + command);
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.out, HasSubstr("refuses the login"));
  EXPECT_THAT(refused.out, Not(HasSubstr("wrong-word")));
  EXPECT_EQ(program_.shell("MIZAN_REDIS_PASSWORD=sesame " + command).status, 0);
}

}  // namespace
}  // namespace mizan::integration
