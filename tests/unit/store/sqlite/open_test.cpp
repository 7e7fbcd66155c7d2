#include "store/sqlite/batch.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/owner_lock.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace mizan::sqlite {
namespace {

using SqliteOpen = SqliteTest;

void run_sql(const std::filesystem::path& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

Error error_of_opening(SqliteOptions options) {
  auto store = open_sqlite_store(std::move(options), system_clock());
  if (!store) return store.error();
  ADD_FAILURE() << "it opened";
  return {};
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(SqliteOpen, migrating_twice_runs_everything_once) {
  auto store = must(open_sqlite_store(options(), system_clock()));
  const auto first = must(store->migrate());
  ASSERT_EQ(first.size(), sqlite_sql::all_migrations.size());
  EXPECT_EQ(first.front(), "0001_ledger");
  EXPECT_TRUE(must(store->migrate()).empty());
  store.reset();
  store = must(open_sqlite_store(options(), system_clock()));
  EXPECT_TRUE(must(store->migrate()).empty());
}

TEST_F(SqliteOpen, a_file_without_tables_says_how_to_make_them) {
  auto store = must(open_sqlite_store(options(), system_clock()));
  const auto begun = store->begin(soon());
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, Code::invalid_request);
  EXPECT_EQ(begun.error().retry, Retry::never);
  EXPECT_NE(begun.error().detail.find("mizan init"), std::string::npos) << begun.error().detail;
  const auto snapshot = store->snapshot();
  ASSERT_FALSE(snapshot);
  EXPECT_NE(snapshot.error().detail.find("mizan init"), std::string::npos);
}

TEST_F(SqliteOpen, a_missing_file_is_an_error_that_says_how_to_make_one) {
  SqliteOptions existing = options();
  existing.create = false;
  const Error error = error_of_opening(existing);
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_NE(error.detail.find("mizan init"), std::string::npos) << error.detail;
  EXPECT_FALSE(std::filesystem::exists(file()));
  EXPECT_EQ(error_of_opening(reader_options()).code, Code::invalid_request);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(SqliteOpen, a_newer_schema_is_refused) {
  open().reset();
  run_sql(file(), "PRAGMA user_version = 9999");
  const Error error = error_of_opening(options());
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_NE(error.detail.find("9999"), std::string::npos) << error.detail;
  EXPECT_EQ(error_of_opening(reader_options()).code, Code::invalid_request);
}

TEST_F(SqliteOpen, somebody_elses_database_is_refused_and_left_alone) {
  run_sql(file(),
          "CREATE TABLE accounts (id INTEGER PRIMARY KEY); INSERT INTO accounts VALUES (1)");
  const auto size = std::filesystem::file_size(file());
  const Error error = error_of_opening(options());
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_NE(error.detail.find("not a Mizan ledger"), std::string::npos) << error.detail;
  EXPECT_EQ(std::filesystem::file_size(file()), size);
  EXPECT_EQ(names_in(file().parent_path()), std::vector<std::string>{file().filename()});
}

TEST_F(SqliteOpen, a_file_that_is_no_database_is_refused_and_left_alone) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{104}, std::size_t{5'000}}) {
    const std::string text(size, 'x');
    std::ofstream(file()) << text;
    const Error error = error_of_opening(options());
    EXPECT_EQ(error.code, Code::invalid_request);
    EXPECT_EQ(error.retry, Retry::never);
    std::ifstream stream(file());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
    EXPECT_EQ(names_in(file().parent_path()), std::vector<std::string>{file().filename()});
  }
}

TEST_F(SqliteOpen, a_database_without_tables_may_become_a_ledger) {
  run_sql(file(), "CREATE TABLE t (i INTEGER); DROP TABLE t");
  ASSERT_GT(std::filesystem::file_size(file()), 0U);
  EXPECT_FALSE(must(open_sqlite_store(options(), system_clock()))->migrate().value().empty());
}

TEST_F(SqliteOpen, a_path_that_leads_to_no_file_is_an_invalid_request) {
  SqliteOptions elsewhere = options();
  elsewhere.file = file() / "no" / "such" / "folder.db";
  EXPECT_EQ(error_of_opening(elsewhere).code, Code::invalid_request);
  elsewhere.file = file().parent_path();
  EXPECT_EQ(error_of_opening(elsewhere).code, Code::invalid_request);
  EXPECT_FALSE(std::filesystem::exists(owner_file(elsewhere.file)));
  elsewhere.file = file();
  elsewhere.create = false;
  std::ofstream(file()).close();
  const auto empty = must(open_sqlite_store(elsewhere, system_clock()));
  EXPECT_EQ(empty->begin(soon()).error().code, Code::invalid_request);
}

TEST_F(SqliteOpen, a_second_owner_in_this_process_is_refused_until_the_first_leaves) {
  auto first = open();
  const Error error = error_of_opening(options());
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_NE(error.detail.find("pid " + std::to_string(getpid())), std::string::npos)
      << error.detail;
  first.reset();
  EXPECT_TRUE(open_sqlite_store(options(), system_clock()));
}

TEST_F(SqliteOpen, a_link_to_the_file_is_the_same_file) {
  const auto first = open();
  SqliteOptions by_link = options();
  by_link.file = file().parent_path() / "link.db";
  std::filesystem::create_symlink(file(), by_link.file);
  EXPECT_EQ(error_of_opening(by_link).code, Code::unavailable);
}

TEST_F(SqliteOpen, a_relative_name_stays_valid_when_the_working_directory_changes) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file().parent_path());
  SqliteOptions relative = options();
  relative.file = file().filename();
  const auto store = must(open_sqlite_store(relative, system_clock()));
  static_cast<void>(must(store->migrate()));
  std::filesystem::current_path(before);
  create(*store, {"alice", "bob"});
  EXPECT_EQ(balance(*store, "bob"), 0);
}

TEST_F(SqliteOpen, closing_another_descriptor_of_the_owner_file_does_not_end_the_ownership) {
  const auto first = open();
  { std::ifstream look(owner_file(file())); }
  const Error owned = error_of_opening(options());
  EXPECT_EQ(owned.code, Code::unavailable);
  EXPECT_NE(owned.detail.find("--store http://127.0.0.1:7780"), std::string::npos) << owned.detail;
}

/// What a child process that tries to own the file ends with: 0 owned, 1 refused by our pid.
int try_to_own_in_child(const SqliteOptions& options) {
  const std::string owner = "pid " + std::to_string(getpid());
  const pid_t child = fork();
  if (child == 0) {
    const auto store = open_sqlite_store(options, system_clock());
    if (store) _exit(0);
    const bool named = store.error().detail.find(owner) != std::string::npos;
    _exit(store.error().code == Code::unavailable && named ? 1 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(SqliteOpen, another_process_is_kept_out_and_told_by_whom) {
  auto store = open();
  EXPECT_EQ(try_to_own_in_child(options()), 1);
  create(*store, {"alice", "bob"});
  store.reset();
  EXPECT_EQ(try_to_own_in_child(options()), 0);
}

TEST_F(SqliteOpen, waiting_for_the_owner_ends_when_it_leaves) {
  int ready[2] = {};
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto store = open_sqlite_store(options(), system_clock());
    char byte = store ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    system_clock().sleep_until(system_clock().now() + std::chrono::milliseconds(100));
    _exit(0);  // Without destructors: the system gives the ownership back.
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  SqliteOptions patient = options();
  patient.owner_wait = std::chrono::seconds(60);
  EXPECT_TRUE(open_sqlite_store(patient, system_clock()));
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(SqliteOpen, a_reader_beside_the_owner_sees_commits_and_cannot_write) {
  const auto owner = open();
  create(*owner, {"alice", "bob"});
  const auto reader = must(open_sqlite_store(reader_options(), system_clock()));
  EXPECT_EQ(balance(*reader, "bob"), 0);
  const auto before = must(reader->snapshot());
  transfer(*owner, "op-1", 7);
  EXPECT_EQ(balance(*reader, "bob"), 7);
  EXPECT_EQ(must(before->find_wallet(WalletId("bob"))).value().balance.value(), 0);
  EXPECT_EQ(reader->begin(soon()).error().code, Code::invalid_request);
  EXPECT_EQ(reader->migrate().error().code, Code::invalid_request);
  EXPECT_EQ(reader->guards()->begin(soon()).error().code, Code::invalid_request);
  const auto lease =
      reader->leases().acquire(Resource("r"), LockOwner("o"), std::chrono::seconds(1));
  EXPECT_EQ(lease.error().code, Code::invalid_request);
}

TEST_F(SqliteOpen, a_reader_in_another_process_sees_what_the_owner_commits) {
  const auto owner = open();
  create(*owner, {"alice", "bob"});
  transfer(*owner, "op-1", 7);
  const pid_t child = fork();
  if (child == 0) {
    const auto reader = open_sqlite_store(reader_options(), system_clock());
    if (!reader) _exit(1);
    auto snapshot = (*reader)->snapshot();
    if (!snapshot) _exit(2);
    const auto bob = (*snapshot)->find_wallet(WalletId("bob"));
    _exit(bob && *bob && (*bob)->balance.value() == 7 ? 0 : 3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  transfer(*owner, "op-2", 1);
  EXPECT_EQ(balance(*owner, "bob"), 8);
}

TEST_F(SqliteOpen, a_reader_does_not_keep_the_file_from_its_next_owner) {
  open().reset();
  const auto reader = must(open_sqlite_store(reader_options(), system_clock()));
  const auto snapshot = must(reader->snapshot());
  auto owner = open();
  create(*owner, {"alice", "bob"});
  EXPECT_FALSE(must(snapshot->find_wallet(WalletId("alice"))));
  EXPECT_TRUE(must(must(reader->snapshot())->find_wallet(WalletId("alice"))));
}

TEST_F(SqliteOpen, a_reader_of_a_crashed_owners_file_sees_its_commits_and_leaves_the_wal_alone) {
  const pid_t child = fork();
  if (child == 0) {
    const auto owner = open();
    create(*owner, {"alice", "bob"});
    transfer(*owner, "op-1", 7);
    _exit(0);  // Without destructors, as a crash.
  }
  waitpid(child, nullptr, 0);
  const std::filesystem::path wal = file().string() + "-wal";
  const auto size = std::filesystem::file_size(wal);
  ASSERT_GT(size, 0U);
  {
    const auto reader = must(open_sqlite_store(reader_options(), system_clock()));
    EXPECT_EQ(balance(*reader, "bob"), 7);
  }
  EXPECT_EQ(std::filesystem::file_size(wal), size);
  EXPECT_EQ(balance(*open(), "bob"), 7);
}

TEST_F(SqliteOpen, a_healthy_file_gives_the_doctor_nothing_to_cure) {
  const auto store = open();
  create(*store, {"alice", "bob"});
  for (const auto& finding : must(store->doctor())) {
    EXPECT_NE(finding.level, Finding::Level::problem) << finding.name << ": " << finding.detail;
    EXPECT_FALSE(finding.detail.empty()) << finding.name;
  }
  const auto reader = must(open_sqlite_store(reader_options(), system_clock()));
  EXPECT_FALSE(must(reader->doctor()).empty());
}

TEST_F(SqliteOpen, the_doctor_finds_damage) {
  auto store = open();
  create(*store, {"alice", "bob"});
  store.reset();
  // Far enough in to be no header, and every table has its first page before the end.
  std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(4096 * 4 + 8);
  stream << std::string(4'000, '\xff');
  stream.close();
  store = must(open_sqlite_store(options(), system_clock()));
  const auto findings = store->doctor();
  const bool found =
      !findings || std::any_of(findings->begin(), findings->end(), [](const Finding& finding) {
        return finding.level == Finding::Level::problem && finding.name == "integrity";
      });
  EXPECT_TRUE(found);
}

/// What the doctor, who only reads, complains of in the schema.
std::vector<std::string> schema_problems(const SqliteOptions& options) {
  std::vector<std::string> details;
  const auto store = must(open_sqlite_store(options, system_clock()));
  for (const Finding& finding : must(store->doctor())) {
    if (finding.level == Finding::Level::problem) details.push_back(finding.detail);
  }
  return details;
}

TEST_F(SqliteOpen, the_doctor_names_each_object_that_is_not_as_the_migrations_make_it) {
  open().reset();
  EXPECT_TRUE(schema_problems(reader_options()).empty());
  const std::vector<std::pair<const char*, std::string>> changes = {
      {"DROP TABLE fences", "table fences is missing"},
      {"DROP TABLE hold_states", "table hold_states is missing"},
      {"DROP INDEX journal_operation", "index journal_operation is missing"},
      {"DROP VIEW entries", "view entries is missing"},
      {"ALTER TABLE leases ADD COLUMN note TEXT", "table leases is not as the migrations make it"},
      {"CREATE TRIGGER theft AFTER UPDATE ON balances BEGIN SELECT 1; END", "trigger theft"},
      {"CREATE UNIQUE INDEX one ON wallets (currency)", "index one on the table wallets"}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    run_sql(file(), changes[i].first);
    const auto problems = schema_problems(reader_options());
    EXPECT_EQ(problems.size(), i + 1) << changes[i].first;
    EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [&](const std::string& detail) {
      return detail.find(changes[i].second) != std::string::npos;
    })) << changes[i].first;
  }
  EXPECT_EQ(schema_problems(options()).size(), changes.size()) << "the owner sees them too";
}

TEST_F(SqliteOpen, tables_of_the_users_own_are_no_matter_for_the_doctor) {
  open().reset();
  run_sql(file(),
          "CREATE TABLE orders (id INTEGER PRIMARY KEY); CREATE INDEX by_id ON orders (id);"
          "CREATE VIEW mine AS SELECT id FROM wallets; ANALYZE");
  EXPECT_TRUE(schema_problems(reader_options()).empty());
  EXPECT_TRUE(open()->begin(soon()));
}

TEST_F(SqliteOpen, a_file_that_lacks_a_table_or_an_index_is_refused_by_its_name) {
  for (const auto& [change, name] :
       {std::pair{"DROP TABLE fences", "fences"},
        std::pair{"DROP INDEX journal_operation", "journal_operation"},
        std::pair{"ALTER TABLE balances DROP COLUMN head", "balances"}}) {
    std::filesystem::remove(file());
    open().reset();
    run_sql(file(), change);
    const auto store = must(open_sqlite_store(options(), system_clock()));
    for (const Error& error :
         {store->migrate().error(), store->begin(soon()).error(), store->snapshot().error()}) {
      EXPECT_EQ(error.code, Code::invalid_request) << change;
      EXPECT_EQ(error.retry, Retry::never);
      EXPECT_NE(error.detail.find(name), std::string::npos) << error.detail;
    }
  }
}

TEST_F(SqliteOpen, bytes_on_disk_are_those_of_all_files) {
  const auto store = open();
  create(*store, {"alice", "bob"});
  const auto bytes = must(store->disk_bytes());
  EXPECT_EQ(
      bytes,
      std::filesystem::file_size(file()) + std::filesystem::file_size(file().string() + "-wal"));
}

TEST_F(SqliteOpen, every_statement_of_the_folder_can_be_prepared) {
  const auto store = open();
  const auto connection = must(Connection::open(file(), OpenMode::read_write, nullptr));
  Batch batch;
  must(register_batch_tables(*connection, batch));
  for (const auto& [name, text] : sqlite_sql::all_statements) {
    if (name.starts_with("declare_")) continue;  // Run by register_batch_tables.
    std::string sql(text);
    if (const auto at = sql.rfind("{cache_kib}"); at != std::string::npos) sql.replace(at, 11, "9");
    for (const char* rest = sql.c_str(); *rest != '\0';) {
      sqlite3_stmt* statement = nullptr;
      EXPECT_EQ(sqlite3_prepare_v2(connection->handle(), rest, -1, &statement, &rest), SQLITE_OK)
          << name << ": " << connection->message();
      if (statement == nullptr) break;
      sqlite3_finalize(statement);
    }
  }
}

}  // namespace
}  // namespace mizan::sqlite
