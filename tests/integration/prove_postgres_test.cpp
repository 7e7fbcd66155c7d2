#include "cli_program.hpp"
#include "prove_scenarios.hpp"
#include "testkit/child_process.hpp"
#include "testkit/eventually.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

// `mizan prove` against a PostgreSQL server that is not its own.

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testkit::PostgresServer;

class ProvePostgres : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto server = PostgresServer::shared();
    if (!server) {
      const auto missing = PostgresServer::why_missing();
      if (missing && !testkit::is_required("postgres")) GTEST_SKIP() << *missing;
      FAIL() << server.error().detail;
    }
    server_ = *server;
    ASSERT_TRUE(
        server_->execute("CREATE SCHEMA IF NOT EXISTS prove_theirs; "
                         "CREATE TABLE IF NOT EXISTS prove_theirs.kept (n int)"));
  }

  /// Fails the statement, and so answers no, while the prover has schemas there.
  [[nodiscard]] bool is_tidy() const {
    return server_
        ->execute(
            "DO $$ BEGIN IF EXISTS (SELECT FROM pg_namespace WHERE nspname LIKE "
            "'prove\\_%' AND nspname <> 'prove_theirs') THEN RAISE 'left behind'; "
            "END IF; END $$; SELECT count(*) FROM prove_theirs.kept")
        .has_value();
  }

  /// Does a schema stand there whose name has the scenario in it?
  [[nodiscard]] bool is_at_work() const { return !is_tidy(); }

  [[nodiscard]] Program::Words words(Program::Words scenario) const {
    scenario.insert(scenario.begin(), "prove");
    scenario.insert(scenario.end(), {"--store", server_->url()});
    return scenario;
  }

  Program program_;
  PostgresServer* server_ = nullptr;
};

TEST_F(ProvePostgres, scenarios_run_on_the_server_and_leave_nothing_behind) {
  const Ran ran = program_.run(words({"twenty-tens", "retry-once", "--strategy", "batched"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("postgres"));
  EXPECT_THAT(ran.out, HasSubstr("twenty-tens"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProvePostgres, workers_that_connect_themselves_are_stopped_and_killed) {
  const Ran ran =
      program_.run(words({"paused-holder", "crash-between-legs", "--strategy", "atomic"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProvePostgres, the_database_is_the_same_as_before_to_the_byte) {
  ASSERT_TRUE(server_->execute(
      "CREATE SCHEMA IF NOT EXISTS mizan_theirs; "
      "CREATE TABLE IF NOT EXISTS mizan_theirs.wallets (id text PRIMARY KEY, n "
      "numeric); INSERT INTO mizan_theirs.wallets VALUES ('a', 1.50), ('b', -3) ON "
      "CONFLICT DO NOTHING"));
  // Newer ones write a key of their own into each dump.
  const std::string dump =
      "pg_dump --dbname '" + server_->url() + "' | grep -v '^.\\(un\\)\\?restrict'";
  const Ran before = program_.shell(dump);
  ASSERT_THAT(before.out, HasSubstr("-3")) << before.err;
  const Ran ran = program_.run(words({"overdraw-one", "crash-after-commit", "paused-holder"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(program_.shell(dump).out, before.out);
}

TEST_F(ProvePostgres, a_planted_bug_is_caught_on_the_server_too) {
  const Ran ran = program_.run(words({"first-insert", "retry-once", "--self-test"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("insert-surfaces"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProvePostgres, nothing_is_left_behind_when_the_prover_is_killed) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    Program::Words arguments = words({"twenty-tens", "hold-race"});
    arguments.insert(arguments.begin(), MIZAN_BINARY);
    auto prover = testkit::ChildProcess::start(arguments);
    ASSERT_TRUE(prover);
    ASSERT_TRUE(testkit::eventually([this] { return is_at_work(); }, std::chrono::seconds{60}));
    ::kill(prover->pid(), signal);
    EXPECT_TRUE(testkit::eventually([this] { return is_tidy(); }, std::chrono::seconds{60}))
        << "after signal " << signal;
  }
}

TEST_F(ProvePostgres, nothing_is_left_behind_when_its_whole_process_group_is_killed) {
  Program::Words arguments = words({"twenty-tens", "hold-race"});
  // As a container, a CI job or `timeout -s KILL` runs it: leader of a group of its own.
  arguments.insert(arguments.begin(), {"/usr/bin/setsid", MIZAN_BINARY});
  auto prover = testkit::ChildProcess::start(arguments);
  ASSERT_TRUE(prover) << prover.error().detail;
  ASSERT_TRUE(testkit::eventually([this] { return is_at_work(); }, std::chrono::seconds{60}));
  const int group = prover->pid();
  ASSERT_EQ(::getpgid(group), group);
  ASSERT_EQ(::kill(-group, SIGKILL), 0);
  EXPECT_TRUE(testkit::eventually([this] { return is_tidy(); }, std::chrono::seconds{60}));
}

TEST_F(ProvePostgres, a_server_that_cannot_be_reached_is_said_without_the_password) {
  const Ran ran =
      program_.run({"prove", "numbers", "--store", "postgres://mizan:secret@127.0.0.1:1/postgres"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("connect"));
  EXPECT_THAT(ran.err, Not(HasSubstr("secret")));
}

TEST_F(ProvePostgres, what_only_servers_show_and_the_bugs_planted_for_it) {
  const Ran ran = program_.run(words(with(what_only_servers_show(), {"--strategy", "batched"})));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("SKIPPED")));
  EXPECT_THAT(ran.out, HasSubstr("it says 70")) << "PostgreSQL's subquery reads the old balance";
  EXPECT_THAT(ran.out, HasSubstr("40001"));
  const Ran planted = program_.run(words(with(what_only_servers_show(), {"--self-test"})));
  EXPECT_EQ(planted.status, 0) << planted.out << planted.err;
  EXPECT_THAT(planted.out, HasSubstr("9 planted bugs: 9 caught by the right invariant\n"));
  const Ran skipped = program_.run({"prove", "write-skew"});
  EXPECT_EQ(skipped.status, 0);
  EXPECT_THAT(skipped.out, HasSubstr("SKIPPED"));
  EXPECT_THAT(skipped.out, HasSubstr("--store postgres://"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProvePostgres, a_server_that_goes_away_meanwhile_proves_nothing) {
  auto server = PostgresServer::start();
  ASSERT_TRUE(server);
  auto prover = testkit::ChildProcess::start({MIZAN_BINARY,
                                              "prove",
                                              "hold-race",
                                              "retry-once",
                                              "--strategy",
                                              "batched",
                                              "--store",
                                              (*server)->url()});
  ASSERT_TRUE(prover);
  const auto is_working = [&server] {
    return !(*server)->execute(
        "DO $$ BEGIN IF EXISTS (SELECT FROM pg_tables WHERE schemaname LIKE 'prove\\_%') THEN "
        "RAISE 'at work'; END IF; END $$");
  };
  ASSERT_TRUE(testkit::eventually(is_working, std::chrono::seconds{60}));
  server->reset();
  std::string said;
  const Deadline patience = system_clock().now() + std::chrono::seconds{100};
  for (;;) {
    const auto line = prover->read_line(patience);
    ASSERT_TRUE(line) << said;
    if (!*line) break;
    said += **line + '\n';
  }
  const auto end = prover->wait(patience);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 2) << said;
  EXPECT_THAT(said, HasSubstr("INCONCLUSIVE"));
  EXPECT_THAT(said, HasSubstr("the server went away"));
  EXPECT_THAT(said, Not(HasSubstr("FAIL")));
}

TEST_F(ProvePostgres, the_lab_is_a_server_of_its_own) {
  const Ran ran = program_.run(
      {"prove", "overdraw-one", "--lab", "--engine", "postgres", "--strategy", "atomic"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("postgres"));
  EXPECT_EQ(program_.run(words({"numbers", "--lab"})).status, 1) << "one server, not two";
}

}  // namespace
}  // namespace mizan::integration
