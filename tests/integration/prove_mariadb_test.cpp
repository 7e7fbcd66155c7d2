#include "cli_program.hpp"
#include "prove_scenarios.hpp"
#include "testkit/child_process.hpp"
#include "testkit/eventually.hpp"
#include "testkit/galera_cluster.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

// `mizan prove` against a MariaDB server that is not its own.

namespace mizan::integration {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testkit::MariadbServer;

class ProveMariadb : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto server = MariadbServer::shared();
    if (!server) {
      const auto missing = MariadbServer::why_missing();
      if (missing && !testkit::is_required("mariadb")) GTEST_SKIP() << *missing;
      FAIL() << server.error().detail;
    }
    server_ = *server;
    ASSERT_TRUE(
        server_->execute("CREATE DATABASE IF NOT EXISTS prove_theirs; "
                         "CREATE TABLE IF NOT EXISTS prove_theirs.kept (n int); "
                         "CREATE TABLE IF NOT EXISTS mizan.kept (n int)"));
  }

  /// Fails the statement (two rows where one may be), and so answers no, while the prover has a
  /// database there, or a table in the one that its URL names; or where what is not its own is
  /// gone.
  [[nodiscard]] bool is_tidy() const {
    return server_
        ->execute(
            "SELECT IF(EXISTS (SELECT 1 FROM information_schema.schemata WHERE schema_name LIKE "
            "'prove\\_%' AND schema_name <> 'prove_theirs') OR EXISTS (SELECT 1 FROM "
            "information_schema.tables WHERE table_schema = 'mizan' AND table_name <> 'kept'), "
            "(SELECT 1 UNION SELECT 2), 0); "
            "SELECT count(*) FROM prove_theirs.kept; SELECT count(*) FROM mizan.kept")
        .has_value();
  }

  [[nodiscard]] bool is_at_work() const { return !is_tidy(); }

  [[nodiscard]] Program::Words words(Program::Words scenario) const {
    scenario.insert(scenario.begin(), "prove");
    scenario.insert(scenario.end(), {"--store", server_->url()});
    return scenario;
  }

  Program program_;
  MariadbServer* server_ = nullptr;
};

TEST_F(ProveMariadb, scenarios_run_on_the_server_and_leave_nothing_behind) {
  const Ran ran = program_.run(words({"twenty-tens", "retry-once", "--strategy", "batched"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("mariadb"));
  EXPECT_THAT(ran.out, HasSubstr("twenty-tens"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProveMariadb, workers_that_connect_themselves_are_stopped_and_killed) {
  const Ran ran =
      program_.run(words({"paused-holder", "crash-between-legs", "--strategy", "atomic"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProveMariadb, a_planted_bug_is_caught_on_the_server_too) {
  const Ran ran = program_.run(words({"first-insert", "overdraw-one", "--self-test"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("insert-surfaces"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProveMariadb, what_only_servers_show_and_the_bugs_planted_for_it) {
  const Ran ran = program_.run(words(with(what_only_servers_show(), {"--strategy", "batched"})));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("SKIPPED")));
  EXPECT_THAT(ran.out, HasSubstr("MariaDB")) << "the subquery's trap is not MariaDB's";
  const Ran planted = program_.run(words(with(what_only_servers_show(), {"--self-test"})));
  EXPECT_EQ(planted.status, 0) << planted.out << planted.err;
  EXPECT_THAT(planted.out,
              HasSubstr("9 planted bugs: 8 caught by the right invariant, 1 skipped\n"));
  EXPECT_THAT(planted.out, HasSubstr("this trap is PostgreSQL's"));
  EXPECT_TRUE(is_tidy());
}

TEST_F(ProveMariadb, the_matrix_says_which_layer_protects_from_what) {
  const Ran ran = program_.run(words({"--layers", "overdraw-one", "retry-once", "write-skew"}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  // In this order: nothing off, lock, fence, operation id, guarded write, …, read lock.
  const std::string right = " +right";
  const std::string three = right + right + right;
  EXPECT_THAT(ran.out,
              ContainsRegex("overdraw-one" + three + right + " +wrong \\(I3\\)" + three + right));
  EXPECT_THAT(ran.out,
              ContainsRegex("retry-once" + three + " +wrong \\(I6\\)" + right + three + right));
  EXPECT_THAT(ran.out, ContainsRegex("write-skew" + three + three + right + right + " +wrong "));
  EXPECT_THAT(ran.out, HasSubstr("retry-once, operation id off: FAIL I6: "));
  EXPECT_TRUE(is_tidy());
  const Ran none = program_.run({"prove", "--layers", "numbers"});
  EXPECT_EQ(none.status, 1) << none.out << none.err;
  EXPECT_THAT(none.err, HasSubstr("--layers is about twenty-tens"));
}

TEST_F(ProveMariadb, the_lab_has_a_cluster) {
  if (const auto missing = testkit::GaleraCluster::why_missing()) {
    if (!testkit::is_required("galera")) GTEST_SKIP() << *missing;
    FAIL() << *missing;
  }
  const Ran ran = program_.run({"prove",
                                "overdraw-one",
                                "paused-holder",
                                "--lab",
                                "--engine",
                                "galera",
                                "--strategy",
                                "batched"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("overdraw-one        PASS"));
  EXPECT_THAT(ran.out, HasSubstr("paused-holder       PASS"));
}

TEST_F(ProveMariadb, what_nodes_of_a_cluster_show_and_the_bugs_planted_for_it) {
  if (const auto missing = testkit::GaleraCluster::why_missing()) {
    if (!testkit::is_required("galera")) GTEST_SKIP() << *missing;
    FAIL() << *missing;
  }
  Program::Words words = with({"prove", "galera-two-nodes"}, what_only_servers_show());
  words = with(std::move(words), {"--lab", "--engine", "galera", "--self-test"});
  const Ran planted = program_.run(words);
  EXPECT_EQ(planted.status, 0) << planted.out << planted.err;
  EXPECT_THAT(planted.out,
              HasSubstr("10 planted bugs: 9 caught by the right invariant, 1 skipped\n"));
  EXPECT_THAT(planted.out, HasSubstr("this trap is PostgreSQL's"));
}

TEST_F(ProveMariadb, nothing_is_left_behind_when_the_prover_is_killed) {
  for (const int signal : {SIGINT, SIGKILL}) {
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

TEST_F(ProveMariadb, a_server_that_cannot_be_reached_is_said_without_the_password) {
  const Ran ran =
      program_.run({"prove", "numbers", "--store", "mariadb://mizan:secret@127.0.0.1:1/mizan"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("connect"));
  EXPECT_THAT(ran.err, Not(HasSubstr("secret")));
}

TEST_F(ProveMariadb, a_user_that_may_make_no_databases_is_told_what_is_missing) {
  ASSERT_TRUE(
      server_->execute("CREATE USER IF NOT EXISTS poor@localhost; "
                       "GRANT ALL ON mizan.* TO poor@localhost"));
  std::string url = server_->url();
  url.replace(url.find("mizan@"), 6, "poor@");
  const Ran ran = program_.run({"prove", "retry-once", "--store", url, "--strategy", "batched"});
  EXPECT_EQ(ran.status, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("GRANT ALL ON `prove"));
  EXPECT_TRUE(is_tidy());
}

}  // namespace
}  // namespace mizan::integration
