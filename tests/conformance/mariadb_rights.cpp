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
