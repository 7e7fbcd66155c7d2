#include "store/sqlite/wal_buffer.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

namespace mizan::sqlite {
namespace {

using testkit::PlanBuilder;

/// Sum and number of rows of a table, as a connection sees them.
struct Seen {
  std::int64_t count = -1;
  std::int64_t sum = -1;
};

/// The layer below the store, with SQL of the test's own.
class WalBuffer : public SqliteTest {
 protected:
  [[nodiscard]] sqlite3* open_raw(const char* layer, int cache_pages = 2'000) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(
                  file().c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, layer),
              SQLITE_OK);
    sqlite3_busy_timeout(database, 60'000);
    run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    run(database, "PRAGMA cache_size = " + std::to_string(cache_pages));
    return database;
  }

  static void run(sqlite3* database, const std::string& sql) {
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
  }

  [[nodiscard]] static Seen look(sqlite3* database) {
    sqlite3_stmt* statement = nullptr;
    Seen seen;
    sqlite3_prepare_v2(database, "SELECT count(*), sum(length(b)) FROM t", -1, &statement, nullptr);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      seen = {sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1)};
    }
    sqlite3_finalize(statement);
    return seen;
  }
};

TEST_F(WalBuffer, is_registered_once_under_one_name) {
  ASSERT_NE(wal_buffer_layer(), nullptr);
  EXPECT_EQ(wal_buffer_layer(), wal_buffer_layer());
  EXPECT_NE(sqlite3_vfs_find(wal_buffer_layer()), nullptr);
  EXPECT_STRNE(sqlite3_vfs_find(nullptr)->zName, wal_buffer_layer()) << "never the default";
}

TEST_F(WalBuffer, another_connection_reads_every_commit_whatever_its_size) {
  sqlite3* writer = open_raw(wal_buffer_layer());
  sqlite3* reader = open_raw(nullptr);
  run(writer, "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)");
  std::int64_t count = 0;
  std::int64_t sum = 0;
  for (const int size : {1, 100, 4'000, 120'000, 131'000, 131'072, 140'000, 1'000'000}) {
    run(writer, "INSERT INTO t (b) VALUES (randomblob(" + std::to_string(size) + "))");
    ++count;
    sum += size;
    const Seen seen = look(reader);
    EXPECT_EQ(seen.count, count);
    EXPECT_EQ(seen.sum, sum);
  }
  run(writer, "PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_EQ(look(reader).sum, sum);
  sqlite3_close(reader);
  sqlite3_close(writer);
}

TEST_F(WalBuffer, gathers_only_where_a_torn_write_leaves_its_neighbours_alone) {
  for (const bool powersafe : {true, false}) {
    sqlite3_close(open_raw(nullptr));
    const std::string name = "file:" + file().string() + (powersafe ? "?psow=1" : "?psow=0");
    sqlite3* writer = nullptr;
    ASSERT_EQ(
        sqlite3_open_v2(
            name.c_str(), &writer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, wal_buffer_layer()),
        SQLITE_OK);
    run(writer, "DROP TABLE IF EXISTS t; CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)");
    sqlite3_file* wal = nullptr;
    sqlite3_file_control(writer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
    const std::filesystem::path path = file().string() + "-wal";
    const auto before = std::filesystem::file_size(path);
    const std::string bytes(100, 'x');
    const auto end = static_cast<sqlite3_int64>(before);
    ASSERT_EQ(wal->pMethods->xWrite(wal, bytes.data(), 100, end), SQLITE_OK);
    EXPECT_EQ(std::filesystem::file_size(path), before + (powersafe ? 0U : 100U));
    forget_gathered(writer);
    sqlite3_close(writer);
  }
}

TEST_F(WalBuffer, pages_that_spill_before_the_commit_are_read_back_and_rolled_back) {
  sqlite3* writer = open_raw(wal_buffer_layer(), 10);  // Tiny: forces pages out early.
  sqlite3* reader = open_raw(nullptr);
  run(writer, "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (1, x'00')");
  run(writer, "BEGIN");
  for (int i = 0; i < 300; ++i) {
    run(writer, "INSERT INTO t (b) VALUES (randomblob(2000))");
    run(writer, "UPDATE t SET b = randomblob(2000) WHERE a = " + std::to_string(1 + i / 2));
  }
  EXPECT_EQ(look(writer).count, 301);
  EXPECT_EQ(look(reader).count, 1);
  run(writer, "ROLLBACK");
  EXPECT_EQ(look(writer).count, 1);
  run(writer, "BEGIN");
  for (int i = 0; i < 300; ++i) run(writer, "INSERT INTO t (b) VALUES (randomblob(2000))");
  run(writer, "COMMIT");
  EXPECT_EQ(look(reader).count, 301);
  EXPECT_EQ(look(reader).sum, 300 * 2'000 + 1);
  sqlite3_close(reader);
  sqlite3_close(writer);
  sqlite3* later = open_raw(nullptr);
  EXPECT_EQ(look(later).count, 301);
  sqlite3_close(later);
}

/// Looks again and again whether alice and bob have what they began with together.
class Watcher {
 public:
  explicit Watcher(Store& store) : thread_([this, &store] { watch(store); }) {}

  void stop() {
    stopped_ = true;
    thread_.join();
  }

  [[nodiscard]] bool saw_half_a_commit() const { return broken_; }

  [[nodiscard]] int looks() const { return looks_; }

 private:
  void watch(Store& store) {
    while (!stopped_) {
      auto snapshot = store.snapshot();
      if (!snapshot) continue;
      const auto alice = (*snapshot)->find_wallet(WalletId("alice"));
      const auto bob = (*snapshot)->find_wallet(WalletId("bob"));
      const bool whole = alice && bob && (*alice)->balance.value() + (*bob)->balance.value() == 0;
      if (!whole) broken_ = true;
      ++looks_;
    }
  }

  std::atomic<bool> stopped_ = false;
  std::atomic<bool> broken_ = false;
  std::atomic<int> looks_ = 0;
  std::thread thread_;  // Last: it uses the others.
};

TEST_F(WalBuffer, readers_see_only_whole_commits_while_the_writer_writes_and_checkpoints) {
  SqliteOptions small = options();
  small.checkpoint_pages = 50;
  const auto store = must(open_sqlite_store(small, system_clock()));
  static_cast<void>(must(store->migrate()));
  create(*store, {"alice", "bob"});
  Watcher watcher(*store);
  for (int i = 0; i < 300; ++i) transfer(*store, "op-" + std::to_string(i), 1);
  watcher.stop();
  EXPECT_FALSE(watcher.saw_half_a_commit());
  EXPECT_GT(watcher.looks(), 0);
  EXPECT_EQ(balance(*store, "bob"), 300);
}

constexpr std::int64_t batch_size = 50;

/// A writer in a process of its own that commits batches, says so on a pipe, and is killed.
class KilledWriter : public WalBuffer {
 protected:
  /// The child's life: writes a byte for each commit that was acknowledged.
  [[noreturn]] void write_for_ever(const std::string& name, int pipe_end) {
    const auto store = open();
    for (int i = 0;; ++i) {
      const std::string id = name + "-" + std::to_string(i) + "-";
      apply(*store, {"alice", "bob"}, [&](PlanBuilder& plan) {
        for (int k = 0; k < batch_size; ++k)
          plan.transfer(id + std::to_string(k), "alice", "bob", 1);
      });
      if (write(pipe_end, "a", 1) != 1) _exit(1);
    }
  }

  /// How many commits the child acknowledged before it was killed; -1 where it did not get far.
  [[nodiscard]] std::int64_t live_and_die(const std::string& name) {
    int pipe_ends[2] = {};
    if (pipe(pipe_ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) write_for_ever(name, pipe_ends[1]);
    close(pipe_ends[1]);
    char byte = 0;
    std::int64_t acknowledged = 0;
    while (acknowledged < 20 && read(pipe_ends[0], &byte, 1) == 1) ++acknowledged;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const bool far_enough = acknowledged == 20;
    while (read(pipe_ends[0], &byte, 1) == 1) ++acknowledged;
    close(pipe_ends[0]);
    return far_enough ? acknowledged : -1;
  }

  /// What bob has after the child's death.
  [[nodiscard]] std::int64_t inspect() {
    const auto store = open();
    const std::int64_t bob = balance(*store, "bob");
    EXPECT_EQ(bob % batch_size, 0) << "half a batch";
    EXPECT_EQ(balance(*store, "alice"), -bob);
    for (const Finding& finding : must(store->doctor())) {
      EXPECT_NE(finding.level, Finding::Level::problem) << finding.name << finding.detail;
    }
    return bob;
  }
};

TEST_F(KilledWriter, keeps_every_commit_it_acknowledged) {
  { create(*open(), {"alice", "bob"}); }
  std::int64_t before = 0;
  for (const std::string name : {"first", "second", "third"}) {
    const std::int64_t acknowledged = live_and_die(name);
    ASSERT_GE(acknowledged, 20);
    const std::int64_t after = inspect();
    EXPECT_GE(after, before + acknowledged * batch_size);
    EXPECT_LE(after, before + (acknowledged + 1) * batch_size) << "at most the commit in flight";
    before = after;
  }
}

/// Fills the disk (a limit on the size of files), makes room again, uses the store and then ends as
/// a killed process does, which leaves a WAL to be recovered. Writes the number of acknowledged
/// commits to `report`. Answers 0 when every failure was an error that names the disk, nothing
/// acknowledged was lost, and the store went on when there was room again.
int fill_disk(const SqliteOptions& options, int report) {
  std::signal(SIGXFSZ, SIG_IGN);
  auto store = open_sqlite_store(options, system_clock());
  if (!store) return 1;
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = 600'000;
  setrlimit(RLIMIT_FSIZE, &limit);
  int committed = 0;
  std::optional<Error> failure;
  for (int i = 0; i < 1'000 && !failure; ++i) {
    auto transaction = (*store)->begin(soon());
    if (!transaction) return 2;
    const WalletId ids[] = {WalletId("alice"), WalletId("bob")};
    auto states = (*transaction)->load_wallets(ids, LoadLock::update);
    if (!states) return 3;
    PlanBuilder builder({*(*states)[0], *(*states)[1]});
    for (int k = 0; k < batch_size; ++k) {
      builder.transfer(std::to_string(i) + "-" + std::to_string(k), "alice", "bob", 1);
    }
    Plan plan = builder.build();
    const auto written = (*transaction)->write(plan);
    if (!written) return 4;
    const Status done = (*transaction)->commit();
    if (done) ++committed;
    if (!done) failure = done.error();
  }
  if (!failure || failure->certainty != Certainty::unknown) return 5;
  limit.rlim_cur = before;
  setrlimit(RLIMIT_FSIZE, &limit);
  auto snapshot = (*store)->snapshot();
  if (!snapshot) return 6;
  const auto bob = (*snapshot)->find_wallet(WalletId("bob"));
  if (!bob || (*bob)->balance.value() != committed * batch_size) return 7;
  auto transaction = (*store)->begin(soon());
  if (!transaction) return 8;
  const OperationId last(std::to_string(committed) + "-0");
  const OperationId* ids[] = {&last};
  const auto claimed = (*transaction)->claim(ids);
  if (!claimed || !claimed->empty()) return 9;
  if (write(report, &committed, sizeof committed) != sizeof committed) return 10;
  _exit(0);
}

TEST_F(WalBuffer, a_full_disk_at_commit_is_an_unknown_fate_and_the_store_goes_on) {
  { create(*open(), {"alice", "bob"}); }
  int pipe_ends[2] = {};
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) _exit(fill_disk(options(), pipe_ends[1]));
  int status = 0;
  waitpid(child, &status, 0);
  close(pipe_ends[1]);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  int committed = 0;
  ASSERT_EQ(read(pipe_ends[0], &committed, sizeof committed),
            static_cast<ssize_t>(sizeof committed));
  close(pipe_ends[0]);
  const auto store = open();
  EXPECT_EQ(balance(*store, "bob"), committed * batch_size)
      << "a failed commit came back from the WAL";
  EXPECT_EQ(balance(*store, "alice"), -committed * batch_size);
}

}  // namespace
}  // namespace mizan::sqlite
