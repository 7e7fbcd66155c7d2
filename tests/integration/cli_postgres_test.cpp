#include "cli_program.hpp"
#include "testkit/eventually.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>

// The program with its locks in PostgreSQL, whose COMMIT may hang: it waits for a standby that is
// not there, once a session asks for one.

namespace mizan::integration {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testkit::PostgresServer;

class CliPostgres : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = PostgresServer::start([](const std::filesystem::path& data) {
      std::ofstream(data / "postgresql.auto.conf", std::ios::app)
          << "wal_level = replica\nmax_wal_senders = 2\n"
          << "synchronous_standby_names = 'nobody'\nsynchronous_commit = local\n";
    });
    if (!server) {
      const auto missing = PostgresServer::why_missing();
      if (missing && !testkit::is_required("postgres")) GTEST_SKIP() << *missing;
      FAIL() << server.error().detail;
    }
    server_ = std::move(*server);
    // The process that tells the others of the standbys has begun its rounds.
    ASSERT_TRUE(testkit::eventually([this] {
      return is_so("SELECT FROM pg_stat_activity WHERE wait_event = 'CheckpointerMain'");
    }));
    ASSERT_EQ(run({"init"}).status, 0);
  }

  /// Does the query have a row?
  [[nodiscard]] bool is_so(const std::string& query) const {
    return server_
        ->execute("DO $$ BEGIN IF NOT EXISTS (" + query + ") THEN RAISE 'no'; END IF; END $$")
        .has_value();
  }

  /// From now on the commits of new sessions hang.
  void hang_commits() const {
    ASSERT_TRUE(server_->execute("ALTER ROLE mizan SET synchronous_commit = 'on'"));
  }

  /// They hang no more, and those that do are done.
  void let_commits_go() const {
    ASSERT_TRUE(
        server_->execute("SET LOCAL synchronous_commit = 'local'; "
                         "ALTER ROLE mizan SET synchronous_commit = 'local'"));
    ASSERT_TRUE(
        server_->execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                         "WHERE wait_event = 'SyncRep'"));
    ASSERT_TRUE(testkit::eventually(
        [this] { return !is_so("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); }));
  }

  [[nodiscard]] Ran run(Program::Words words) const {
    words.insert(words.begin(), {"--store", server_->url()});
    return program_.run(words);
  }

  Program program_;
  std::unique_ptr<PostgresServer> server_;
};

TEST_F(CliPostgres, a_commit_that_hangs_leaves_a_lock_unknown_and_its_owner_is_told) {
  hang_commits();
  const Ran lost = run({"lock", "acquire", "pay", "--lock-ttl", "1s", "--json"});
  ASSERT_EQ(lost.status, 4) << lost.out << lost.err;
  const json problem = json::parse(lost.out);
  EXPECT_EQ(problem["applied"], "unknown");
  const std::string detail = problem["detail"];
  std::smatch owner;
  ASSERT_TRUE(std::regex_search(detail, owner, std::regex("--owner ([^ ;]+)"))) << detail;
  const Ran other = run({"lock", "run", "other", "--lock-ttl", "1s", "--", "echo", "ran"});
  EXPECT_EQ(other.status, 4) << other.err;
  EXPECT_EQ(other.out, "");
  EXPECT_THAT(other.err, AllOf(HasSubstr("is not known"), Not(HasSubstr("nothing was applied"))));
  let_commits_go();
  const Ran repeated = run({"lock", "acquire", "pay", "--owner", owner[1], "--json"});
  EXPECT_EQ(repeated.status, 0) << repeated.out;
  EXPECT_EQ(run({"lock", "acquire", "pay"}).status, 3) << "held by who repeated it";
}

}  // namespace
}  // namespace mizan::integration
