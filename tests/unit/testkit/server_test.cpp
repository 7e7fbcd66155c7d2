#include "testkit/server.hpp"

#include "testkit/eventually.hpp"
#include "testkit/postgres_server.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace mizan::testkit {
namespace {

namespace fs = std::filesystem;

/// Says where it is, then does nothing for a long time.
ServerCommand idle_command() {
  ServerCommand command;
  command.arguments = {"/bin/sh", "-c", "echo up; exec sleep 300"};
  return command;
}

bool has_said_up(const Server& server) {
  return server.log() == "up\n";
}

TEST(Server, is_gone_with_its_directory_when_its_owner_drops_it) {
  fs::path directory;
  {
    auto server = Server::start(*Server::make_directory("mizan-server-test", ""), idle_command());
    ASSERT_TRUE(server);
    directory = server->directory();
    ASSERT_TRUE(server->wait_until_ready([&] { return has_said_up(*server); }));
    EXPECT_TRUE(fs::exists(directory));
  }
  EXPECT_FALSE(fs::exists(directory));
}

// Disabled: only the test below runs it, in a process of its own.
TEST(ServerOwner, DISABLED_is_killed) {
  auto server = Server::start(*Server::make_directory("mizan-server-test", ""), idle_command());
  ASSERT_TRUE(server);
  ASSERT_TRUE(server->wait_until_ready([&] { return has_said_up(*server); }));
  std::cout << server->directory().string() << std::endl;
  std::raise(SIGKILL);
}

TEST(Server, is_gone_with_its_directory_when_its_owner_is_killed) {
  auto owner = ChildProcess::start(
      {own_program(), "--gtest_filter=ServerOwner.*", "--gtest_also_run_disabled_tests"});
  ASSERT_TRUE(owner);
  const Deadline deadline = system_clock().now() + std::chrono::seconds(60);
  std::string directory;
  while (auto line = *owner->read_line(deadline)) {
    if (line->starts_with("/")) directory = *line;
  }
  EXPECT_EQ((*owner->wait(deadline)).signal, SIGKILL);
  ASSERT_FALSE(directory.empty());
  EXPECT_TRUE(eventually([&] { return !fs::exists(directory); }));
}

TEST(Server, a_command_that_fails_says_what_it_printed) {
  const Status status = Server::run({"/bin/sh", "-c", "echo why; exit 3"}, "");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().detail.find("why"), std::string::npos) << status.error().detail;
  EXPECT_TRUE(Server::run({"/bin/sh", "-c", "exit 0"}, ""));
}

TEST(Server, required_servers_are_named_whole) {
  ::setenv("MIZAN_REQUIRE", "postgres,redis", 1);
  EXPECT_TRUE(is_required("postgres"));
  EXPECT_TRUE(is_required("redis"));
  EXPECT_FALSE(is_required("post"));
  EXPECT_FALSE(is_required("mariadb"));
  ::unsetenv("MIZAN_REQUIRE");
  EXPECT_FALSE(is_required("postgres"));
}

TEST(Server, the_newest_version_of_a_program_is_found) {
  const TempDir directory;
  for (const char* version : {"9", "15", "100"}) {
    fs::create_directories(directory.path() / version / "bin");
    const fs::path program = directory.path() / version / "bin" / "mizan-no-such-program";
    std::ofstream(program) << "#!/bin/sh\n";
    fs::permissions(program, fs::perms::owner_all);
  }
  const auto found = find_program("mizan-no-such-program", {directory.path().string() + "/*/bin"});
  EXPECT_EQ(found, directory.path() / "100" / "bin" / "mizan-no-such-program");
  EXPECT_FALSE(find_program("mizan-no-such-program"));
  EXPECT_TRUE(find_program("sh"));
}

TEST(Server, ports_are_handed_out) {
  EXPECT_GT(*free_port(), 1'023);
}

TEST(PostgresServer, runs_statements_durably_and_as_its_superuser) {
  if (const auto why = PostgresServer::why_missing()) {
    if (is_required("postgres")) FAIL() << *why;
    GTEST_SKIP() << *why;
  }
  auto server = PostgresServer::start();
  ASSERT_TRUE(server) << server.error().detail;
  EXPECT_TRUE((*server)->execute("CREATE TABLE t (a integer); INSERT INTO t VALUES (1)"));
  const Status wrong = (*server)->execute("INSERT INTO nothing VALUES (1)");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().detail.find("nothing"), std::string::npos) << wrong.error().detail;
  EXPECT_TRUE(
      (*server)->execute("DO $$ BEGIN ASSERT current_setting('fsync') = 'on'; "
                         "ASSERT current_setting('synchronous_commit') = 'on'; END $$"));
}

}  // namespace
}  // namespace mizan::testkit
