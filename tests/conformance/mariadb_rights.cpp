// The rights that the guide says are enough, no more, for a user of the ledger's own.

#include "testkit/temp_dir.hpp"
#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace mizan::conformance {
namespace {

/// As the guide lists them: "the user needs `A`, `B` and `C` on the database".
std::string rights_of_the_guide() {
  std::ifstream file(MIZAN_SOURCE_DIR "/docs/guides/mariadb.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t begin = text.find("the user needs");
  const std::size_t end = text.find("on the database", begin);
  std::string rights;
  for (std::size_t at = text.find('`', begin); at < end;) {
    const std::size_t close = text.find('`', at + 1);
    if (!rights.empty()) rights += ", ";
    rights += text.substr(at + 1, close - at - 1);
    at = text.find('`', close + 1);
  }
  return rights;
}

Finding user_finding(const MariadbOptions& options) {
  auto store = must(open_mariadb_store(options, system_clock()));
  for (const Finding& finding : must(store->doctor())) {
    if (finding.name == "user") return finding;
  }
  ADD_FAILURE() << "nothing is said of the user";
  return {};
}

TEST(MariadbRights, the_doctor_warns_of_a_user_who_may_do_more) {
  if (!is_there({"mariadb", MariadbServer::why_missing})) return;
  TempDir directory("mizan-rights");
  const std::string name = "more" + prefix_of(directory.path()).substr(1, 10);
  const std::string user = name + "@localhost";
  MariadbServer& server = **MariadbServer::shared();
  must(server.execute("CREATE DATABASE " + name + "; CREATE USER " + user + "; GRANT ALL ON " +
                      name + ".* TO " + user));
  auto options = must(parse_mariadb_url(server.url()));
  options.user = name;
  options.database = name;
  EXPECT_EQ(user_finding(options).level, Finding::Level::ok);
  must(server.execute("GRANT ALL ON " + name + ".* TO " + user + " WITH GRANT OPTION"));
  const Finding gives = user_finding(options);
  EXPECT_EQ(gives.level, Finding::Level::warning);
  EXPECT_NE(gives.detail.find("GRANT OPTION"), std::string::npos) << gives.detail;
  EXPECT_EQ(gives.detail.find("*.*"), std::string::npos) << gives.detail;
  must(server.execute("REVOKE GRANT OPTION ON " + name + ".* FROM " + user +
                      "; GRANT PROCESS ON *.* TO " + user));
  EXPECT_EQ(user_finding(options).level, Finding::Level::ok) << "it only looks";
  must(server.execute("GRANT ALL ON *.* TO " + user));
  const Finding changes = user_finding(options);
  EXPECT_EQ(changes.level, Finding::Level::warning);
  EXPECT_NE(changes.detail.find("*.*"), std::string::npos) << changes.detail;
  must(server.execute("DROP USER " + user + "; DROP DATABASE " + name));
}

TEST(MariadbRights, those_of_the_guide_are_enough_for_init_and_for_money) {
  if (!is_there({"mariadb", MariadbServer::why_missing})) return;
  const std::string rights = rights_of_the_guide();
  ASSERT_NE(rights.find("SELECT, "), std::string::npos) << rights;
  TempDir directory("mizan-rights");
  const std::string name = "rights" + prefix_of(directory.path()).substr(1, 10);
  must((*MariadbServer::shared())
           ->execute("CREATE DATABASE " + name + "; CREATE USER " + name + "@localhost; GRANT " +
                     rights + " ON " + name + ".* TO " + name + "@localhost"));
  auto options = must(parse_mariadb_url((*MariadbServer::shared())->url()));
  options.user = name;
  options.database = name;
  auto store = must(open_mariadb_store(std::move(options), system_clock()));
  EXPECT_FALSE(must(store->migrate()).empty());
  must((*MariadbServer::shared())
           ->execute("REVOKE DROP ON " + name + ".* FROM " + name + "@localhost"));
  EXPECT_TRUE(must(store->migrate()).empty()) << "which needs no right to drop";
  auto transaction = must(store->begin(soon()));
  must(transaction->commit());
}

}  // namespace
}  // namespace mizan::conformance
