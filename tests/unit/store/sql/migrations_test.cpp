#include "store/mariadb/mariadb_sql.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace mizan {
namespace {

/// The version that a ledger shows is the number in the name of its newest migration.
template <class Migrations>
void expect_numbers_are_versions(const Migrations& migrations) {
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const std::string start = std::string(4 - number.size(), '0') + number + "_";
    EXPECT_TRUE(migrations[i].first.starts_with(start)) << migrations[i].first;
  }
}

TEST(Migrations, are_numbered_without_gaps_in_every_dialect) {
  expect_numbers_are_versions(sqlite_sql::all_migrations);
  expect_numbers_are_versions(postgres_sql::all_migrations);
  expect_numbers_are_versions(mariadb_sql::all_migrations);
}

}  // namespace
}  // namespace mizan
