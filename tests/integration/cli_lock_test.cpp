#include "cli_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CliLock : public ::testing::Test {
 protected:
  void SetUp() override { program_.make_ledger(); }

  Program program_;
};

TEST_F(CliLock, a_lock_is_acquired_renewed_and_released_by_its_owner) {
  const Ran acquired = program_.must({"lock", "acquire", "pay", "--lock-ttl", "60s", "--json"});
  const json lease = json::parse(acquired.out);
  EXPECT_EQ(lease["resource"], "pay");
  EXPECT_GT(lease["token"], 0);
  EXPECT_LE(lease["expires_in_ms"], 60'000);
  const std::string owner = lease["owner"];
  EXPECT_EQ(program_.run({"lock", "acquire", "pay"}).status, 3);
  const Ran waited = program_.run({"lock", "acquire", "pay", "--wait", "100ms", "--json"});
  EXPECT_EQ(waited.status, 3);
  EXPECT_EQ(json::parse(waited.out)["code"], "lock_busy");
  EXPECT_EQ(program_.run({"lock", "renew", "pay", "--owner", "somebody"}).status, 2);
  const Ran renewed =
      program_.must({"lock", "renew", "pay", "--owner", owner, "--lock-ttl", "40s", "--json"});
  const json longer = json::parse(renewed.out);
  EXPECT_EQ(longer["resource"], "pay");
  EXPECT_EQ(longer["token"], lease["token"]);
  EXPECT_EQ(longer["owner"], owner);
  // Less the margin of 1 s, at most: it ends here before it ends there.
  EXPECT_LE(longer["expires_in_ms"], 39'000);
  EXPECT_GT(longer["expires_in_ms"], 30'000);
  EXPECT_EQ(longer.size(), 4U) << renewed.out;
  EXPECT_EQ(program_.run({"lock", "acquire", "pay"}).status, 3) << "it is still held";
  EXPECT_EQ(program_.run({"lock", "release", "pay", "--owner", owner}).status, 0);
  EXPECT_EQ(program_.run({"lock", "release", "pay", "--owner", owner}).status, 2);
  const Ran next = program_.must({"lock", "acquire", "pay", "--json"});
  EXPECT_GT(json::parse(next.out)["token"], lease["token"]);
}

TEST_F(CliLock, says_of_a_lock_what_helps_and_nothing_of_money) {
  program_.must({"lock", "acquire", "pay", "--owner", "me"});
  const std::vector<std::pair<std::string, Program::Words>> cases{
      {"--wait DURATION waits for it", {"lock", "acquire", "pay"}},
      {"acquire it again", {"lock", "renew", "pay", "--owner", "you"}},
      {"there is nothing to give back", {"lock", "release", "pay", "--owner", "you"}}};
  for (const auto& [hint, words] : cases) {
    const Ran ran = program_.run(words);
    EXPECT_THAT(ran.err, HasSubstr(hint));
    EXPECT_THAT(ran.err, ::testing::Not(HasSubstr("applied"))) << hint;
    EXPECT_THAT(ran.err, ::testing::Not(HasSubstr("newer"))) << hint;
  }
}

TEST_F(CliLock, the_greatest_token_is_told_to_be_the_last) {
  program_.must({"deposit", "alice", "1", "--fence", "pay=9223372036854775807"});
  const Ran late = program_.run({"deposit", "alice", "1", "--fence", "pay=5"});
  EXPECT_EQ(late.status, 2);
  EXPECT_THAT(late.err, HasSubstr("use another resource"));
  EXPECT_THAT(late.err, ::testing::Not(HasSubstr("acquire it again")));
  const Ran lease = program_.run({"lock", "acquire", "pay", "--json"});
  EXPECT_EQ(lease.status, 1);
  const json problem = json::parse(lease.out);
  EXPECT_EQ(problem["errors"][0]["pointer"], "/resource") << problem;
  EXPECT_THAT(problem.value("detail", ""), HasSubstr("use another resource"));
}

TEST_F(CliLock, names_of_the_ledgers_own_locks_are_refused) {
  const std::string name = "mizan:wallet/alice";
  for (const Program::Words& words : std::vector<Program::Words>{
           {"lock", "acquire", name},
           {"lock", "renew", name, "--owner", "me"},
           {"lock", "release", name, "--owner", "me"},
           {"lock", "run", name, "--", "true"},
           {"transfer", "alice", "bob", "1", "--id", "t-1", "--fence", name + "=7"}}) {
    const Ran ran = program_.run(words);
    EXPECT_EQ(ran.status, 1) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("begins with mizan: belongs to the ledger"));
  }
  EXPECT_EQ(program_.run({"operation", "show", "t-1"}).status, 2) << "it left no trace";
}

TEST_F(CliLock, a_command_does_not_wait_for_the_lock_that_is_held_around_it) {
  const Ran ran = program_.shell(
      "mizan lock run wallet/alice --lock-ttl 60s -- "
      "mizan transfer alice bob 1 --lock store: --fence env --deadline 5s --id t-1");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("applied  transfer t-1"));
}

TEST_F(CliLock, a_lease_that_this_process_alone_would_hold_is_refused) {
  EXPECT_EQ(program_.run({"lock", "acquire", "pay", "--lock", "memory:"}).status, 1);
  EXPECT_EQ(program_.run({"lock", "run", "pay", "--lock", "memory:", "--", "true"}).status, 0);
}

TEST_F(CliLock, the_command_gets_the_token_and_its_status_is_passed_on) {
  const Ran ran = program_.shell(
      "mizan lock run pay -- sh -c 'echo $MIZAN_FENCE_RESOURCE $MIZAN_FENCE; "
      "test -n \"$MIZAN_FENCE_OWNER\"; exit 7'");
  EXPECT_EQ(ran.status, 7);
  EXPECT_EQ(ran.out, "pay 1\n");
  EXPECT_EQ(program_.shell("mizan lock run pay -- sh -c 'kill -9 $$'").status, 137);
  EXPECT_EQ(program_.run({"lock", "run", "pay", "--", "no-such-program"}).status, 1);
  EXPECT_EQ(program_.run({"lock", "acquire", "pay"}).status, 0) << "given back each time";
}

TEST_F(CliLock, the_command_may_use_the_store_and_is_fenced) {
  const Ran ran = program_.run({"lock",
                                "run",
                                "pay",
                                "--",
                                "mizan",
                                "transfer",
                                "alice",
                                "bob",
                                "5",
                                "--fence",
                                "env",
                                "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["outcome"], "applied");
  // Whoever held the lock before is late now.
  program_.must(
      {"lock", "run", "pay", "--", "mizan", "transfer", "alice", "bob", "5", "--fence", "env"});
  EXPECT_EQ(program_.run({"transfer", "alice", "bob", "5", "--fence", "pay=1:x"}).status, 2);
}

TEST_F(CliLock, the_lease_is_renewed_for_as_long_as_the_command_runs) {
  // Much longer than the time to live; meanwhile nobody else gets it.
  const Ran ran = program_.shell(
      "mkfifo pipe; mizan lock run pay --lock-ttl 1s -- sh -c 'echo in; read x <pipe; exit 9' & "
      "p=$!; for i in $(seq 30); do sleep 0.1; mizan lock acquire pay --json >seen && echo got; "
      "done; echo done >pipe; wait $p; echo $?");
  EXPECT_EQ(ran.out, "in\n9\n") << ran.err;
}

TEST_F(CliLock, signals_are_passed_on_to_the_command) {
  const Ran ran = program_.shell(
      "mizan lock run pay -- sh -c 'trap \"echo told; exit 4\" TERM; touch ready; "
      "while :; do sleep 0.05; done' & p=$!; "
      "while [ ! -e ready ]; do sleep 0.05; done; kill -TERM $p; wait $p; echo $?");
  EXPECT_EQ(ran.out, "told\n4\n") << ran.err;
  EXPECT_EQ(program_.run({"lock", "acquire", "pay"}).status, 0) << "given back";
}

TEST_F(CliLock, a_lost_lease_ends_the_command_and_is_told) {
  // The database is moved away, so that no renewal succeeds.
  const Ran ran = program_.shell(
      "mizan lock run pay --lock-ttl 1s --grace 200ms -- sh -c 'trap \"\" TERM; mkdir gone; "
      "mv mizan.db* gone/; while :; do sleep 0.05; done'");
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the lease of pay was lost"));
}

TEST_F(CliLock, a_waiting_command_can_be_interrupted) {
  program_.must({"lock", "acquire", "pay", "--lock-ttl", "1h"});
  const Ran ran = program_.shell(
      "mizan lock run pay --wait 1h -- touch ran & p=$!; sleep 1; kill -TERM $p; wait $p; echo $?; "
      "test -e ran || echo never");
  EXPECT_EQ(ran.out, "143\nnever\n") << ran.err;
}

}  // namespace
}  // namespace mizan::integration
