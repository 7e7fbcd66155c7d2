#include "store/sqlite/owner_lock.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace mizan::sqlite {
namespace {

namespace fs = std::filesystem;

/// What happens to the files under a running owner, and what is refused when one is opened.
class FileInPlace : public SqliteTest {
 protected:
  [[nodiscard]] fs::path beside(const char* name) const { return file().parent_path() / name; }

  [[nodiscard]] fs::path wal() const { return file().string() + "-wal"; }

  [[nodiscard]] static Error error_of_opening(const SqliteOptions& options) {
    auto store = open_sqlite_store(options, system_clock());
    if (!store) return store.error();
    ADD_FAILURE() << "it opened";
    return {};
  }

  static void expect_not_begun(Store& store, std::string_view reason) {
    const auto begun = store.begin(soon());
    ASSERT_FALSE(begun);
    expect_unavailable(begun.error(), reason);
  }

  static void expect_unavailable(const Error& error, std::string_view reason) {
    EXPECT_EQ(error.code, Code::unavailable);
    EXPECT_EQ(error.certainty, Certainty::not_applied);
    EXPECT_NE(error.detail.find(reason), std::string::npos) << error.detail;
  }

  static void expect_refused(const Error& error, std::string_view reason) {
    EXPECT_EQ(error.code, Code::invalid_request);
    EXPECT_EQ(error.retry, Retry::never);
    EXPECT_NE(error.detail.find(reason), std::string::npos) << error.detail;
  }
};

TEST_F(FileInPlace, an_owner_whose_file_was_moved_away_acknowledges_nothing_until_it_is_back) {
  const auto store = open();
  create(*store, {"alice", "bob"});
  transfer(*store, "op-1", 7);
  auto begun = must(store->begin(soon()));
  testkit::PlanBuilder builder(load(*begun, {"alice", "bob"}));
  builder.transfer("op-2", "alice", "bob", 1);
  Plan plan = builder.build();
  static_cast<void>(must(begun->write(plan)));
  fs::rename(file(), beside("moved.db"));
  const Status committed = begun->commit();
  ASSERT_FALSE(committed);
  expect_unavailable(committed.error(), "moved away");
  begun.reset();
  expect_not_begun(*store, "moved away");
  fs::rename(beside("moved.db"), file());
  EXPECT_FALSE(is_recorded(*store, "op-2"));
  transfer(*store, "op-2", 1);
  EXPECT_EQ(balance(*store, "bob"), 8);
}

TEST_F(FileInPlace, an_owner_whose_file_was_replaced_acknowledges_nothing) {
  const auto store = open();
  create(*store, {"alice", "bob"});
  fs::rename(file(), beside("moved.db"));
  fs::copy_file(beside("moved.db"), file());
  expect_not_begun(*store, "replaced");
}

TEST_F(FileInPlace, a_missing_file_with_a_wal_is_refused_and_the_wal_kept) {
  {
    const auto store = open();
    create(*store, {"alice", "bob"});
    transfer(*store, "op-1", 7);
    fs::rename(file(), beside("moved.db"));
  }
  const auto size = fs::file_size(wal());
  ASSERT_GT(size, 0U);
  expect_refused(error_of_opening(options()), "move it back");
  expect_refused(error_of_opening(reader_options()), "move it back");
  std::ofstream(file()).close();
  expect_refused(error_of_opening(options()), "move it back");
  EXPECT_EQ(fs::file_size(wal()), size);
  fs::rename(beside("moved.db"), file());
  EXPECT_EQ(balance(*open(), "bob"), 7);
}

TEST_F(FileInPlace, a_file_of_two_names_has_no_owner) {
  {
    const auto store = open();
    create(*store, {"alice", "bob"});
    fs::create_hard_link(file(), beside("second.db"));
    expect_not_begun(*store, "hard link");
    fs::remove(beside("second.db"));
    transfer(*store, "op-1", 7);
  }
  fs::create_hard_link(file(), beside("second.db"));
  SqliteOptions second = options();
  second.file = beside("second.db");
  expect_refused(error_of_opening(second), "hard links");
  expect_refused(error_of_opening(options()), "hard links");
  expect_refused(error_of_opening(reader_options()), "hard links");
}

TEST_F(FileInPlace, an_owner_whose_owner_file_was_removed_writes_no_more) {
  const auto first = open();
  create(*first, {"alice", "bob"});
  fs::remove(owner_file(file()));
  expect_not_begun(*first, "owner");
  const auto second = open();
  transfer(*second, "op-1", 7);
  expect_not_begun(*first, "owner");
  EXPECT_EQ(balance(*second, "bob"), 7);
}

}  // namespace
}  // namespace mizan::sqlite
