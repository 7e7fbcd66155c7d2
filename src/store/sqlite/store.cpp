#include "mizan/sqlite.hpp"

#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/database_file.hpp"
#include "store/sqlite/doctor.hpp"
#include "store/sqlite/document_table.hpp"
#include "store/sqlite/epoch_table.hpp"
#include "store/sqlite/event_log.hpp"
#include "store/sqlite/guard_table.hpp"
#include "store/sqlite/key_table.hpp"
#include "store/sqlite/lease_table.hpp"
#include "store/sqlite/owner_lock.hpp"
#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/schema_check.hpp"
#include "store/sqlite/snapshot.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "store/sqlite/transaction.hpp"
#include "store/sqlite/wal_buffer.hpp"
#include "store/sqlite/writer.hpp"

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace mizan {
namespace {

using sqlite::Connection;
using sqlite::OpenMode;
using sqlite::OwnerLock;
using sqlite::ReaderPool;
using sqlite::Writer;

/// How long `migrate` and `doctor` wait for the writer's turn.
constexpr std::chrono::seconds turn_wait{30};

class SqliteStore final : public Store {
 public:
  /// `writer` is absent for a reader beside an owner.
  SqliteStore(SqliteOptions options, const Clock& clock, std::unique_ptr<Writer> writer)
      : options_(std::move(options)),
        clock_(clock),
        writer_(std::move(writer)),
        readers_({options_.file, options_.readers_max}, clock),
        leases_(writer_.get(), clock),
        epochs_(writer_.get(), clock),
        keys_(writer_.get(), readers_, clock),
        guards_(writer_.get(), readers_),
        events_(readers_),
        documents_(writer_.get(), readers_, clock) {
    if (writer_) checkpointer_.emplace(*writer_, options_.checkpoint_pages);
  }

  /// For a reader. Tables that are missing are left to the doctor and to the first snapshot.
  Status check_version() {
    auto lent = readers_.lend();
    if (!lent) return lent.error();
    return sqlite::require_schema(lent->connection());
  }

  [[nodiscard]] StoreDescription describe() const override {
    return {"sqlite", sqlite3_libversion(), "wal, synchronous=FULL"};
  }

  Result<std::vector<std::string>> migrate() override {
    if (!writer_) return read_only("migrate");
    auto scope = writer_->begin_outside(clock_.now() + turn_wait);
    if (!scope) return scope.error();
    if (Status owned = writer_->check_owned(); !owned) return owned.error();
    auto names = sqlite::run_migrations(scope->connection(), clock_.wall_now());
    scope->forget_end();
    if (!names) return names;
    // A table that is gone is not made again: its rows would be missing.
    if (Status whole = sqlite::require_objects(scope->connection()); !whole) return whole.error();
    return names;
  }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    if (!writer_) return read_only("begin");
    auto scope = writer_->begin(deadline);
    if (!scope) return scope.error();
    return sqlite::make_transaction(std::move(*scope));
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return sqlite::take_snapshot(readers_); }

  Result<std::vector<Finding>> doctor() override {
    std::vector<Finding> findings;
    if (writer_) {
      auto scope = writer_->begin_outside(clock_.now() + turn_wait);
      if (!scope) return scope.error();
      auto settings = sqlite::inspect_settings(scope->connection());
      if (!settings) return settings.error();
      findings = std::move(*settings);
    }
    auto lent = readers_.lend();
    if (!lent) return lent.error();
    auto of_file = sqlite::inspect_file(lent->connection(), options_.file);
    if (!of_file) return of_file.error();
    for (Finding& finding : *of_file) findings.push_back(std::move(finding));
    return findings;
  }

  Result<std::uint64_t> disk_bytes() override { return sqlite::bytes_on_disk(options_.file); }

  LeaseTable& leases() override { return leases_; }

  EpochTable* epochs() override { return &epochs_; }

  KeyTable* keys() override { return &keys_; }

  GuardTable* guards() override { return &guards_; }

  EventLog* events() override { return &events_; }

  DocumentTable* documents() override { return &documents_; }

 private:
  static Error read_only(std::string_view what) {
    return invalid_request("sqlite: " + std::string(what), "the file was opened for reading only");
  }

  // Destroyed from the last to the first: the readers close before the writer, which checkpoints
  // when it is the last connection and gives the ownership up after that.
  SqliteOptions options_;
  const Clock& clock_;
  std::unique_ptr<Writer> writer_;
  ReaderPool readers_;
  sqlite::SqliteLeaseTable leases_;
  sqlite::SqliteEpochTable epochs_;
  sqlite::SqliteKeyTable keys_;
  sqlite::SqliteGuardTable guards_;
  sqlite::SqliteEventLog events_;
  sqlite::SqliteDocumentTable documents_;
  std::optional<sqlite::Checkpointer> checkpointer_;
};

Status check_options(const SqliteOptions& options) {
  if (options.file.empty()) return invalid_request("sqlite: open", "the file's name is empty");
  if (options.readers_max == 0) {
    return invalid_request("sqlite: open", "readers_max must be at least 1");
  }
  return {};
}

Status check_file(const SqliteOptions& options) {
  if (Status openable = sqlite::check_openable(options.file); !openable) return openable;
  const bool may_create = options.create && options.access == SqliteAccess::own;
  std::error_code failure;
  if (may_create || std::filesystem::exists(options.file, failure)) return {};
  return invalid_request("sqlite: open",
                         options.file.string() + " does not exist; create it with `mizan init`");
}

Status configure_writer(Connection& connection, const SqliteOptions& options) {
  connection.set_busy_wait(options.owner_wait);
  auto identity = sqlite::read_identity(connection);
  if (!identity) return identity.error();
  if (Status known = sqlite::check_identity(*identity); !known) return known;
  if (identity->is_empty()) {
    if (Status set = connection.run_script(sqlite_sql::new_database); !set) return set;
  }
  Status configured =
      connection.run_script(sqlite_sql::configure_writer, "{cache_kib}", options.cache_kib);
  if (!configured) return configured;
  return sqlite::check_writer_settings(connection);
}

Result<std::unique_ptr<Store>> open_owner(SqliteOptions options, const Clock& clock) {
  if (Status ours = sqlite::check_header(options.file); !ours) return ours.error();
  auto owner = OwnerLock::take(options.file, options.owner_wait, clock);
  if (!owner) return owner.error();
  // Again, now that no other owner can be about.
  if (Status openable = sqlite::check_openable(options.file); !openable) return openable.error();
  const OpenMode mode = options.create ? OpenMode::create : OpenMode::read_write;
  auto connection = Connection::open(options.file, mode, sqlite::wal_buffer_layer());
  if (!connection) return connection.error();
  if (Status configured = configure_writer(**connection, options); !configured) {
    return configured.error();
  }
  auto writer =
      std::make_unique<Writer>(std::move(*owner), std::move(*connection), clock, options.on_step);
  if (Status prepared = writer->prepare(); !prepared) return prepared.error();
  return std::unique_ptr<Store>(
      std::make_unique<SqliteStore>(std::move(options), clock, std::move(writer)));
}

Result<std::unique_ptr<Store>> open_reader(SqliteOptions options, const Clock& clock) {
  auto store = std::make_unique<SqliteStore>(std::move(options), clock, nullptr);
  // The first look tells at once what the file is.
  if (Status current = store->check_version(); !current) return current.error();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(SqliteOptions options, const Clock& clock) {
  if (Status valid = check_options(options); !valid) return valid.error();
  // One name for one file: readers are opened later, maybe from another working directory, and two
  // owners must not miss each other by way of a link.
  std::error_code failure;
  options.file = std::filesystem::absolute(options.file, failure);
  if (!failure) options.file = std::filesystem::weakly_canonical(options.file, failure);
  if (failure) return sqlite::open_failure(options.file, failure.value());
  if (Status valid = check_file(options); !valid) return valid.error();
  return options.access == SqliteAccess::own ? open_owner(std::move(options), clock)
                                             : open_reader(std::move(options), clock);
}

}  // namespace mizan
