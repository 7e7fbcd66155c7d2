#include "mizan/postgres.hpp"

#include "base/far_store.hpp"
#include "base/timed_store.hpp"
#include "store/postgres/doctor.hpp"
#include "store/postgres/document_table.hpp"
#include "store/postgres/epoch_table.hpp"
#include "store/postgres/event_log.hpp"
#include "store/postgres/guard_table.hpp"
#include "store/postgres/key_table.hpp"
#include "store/postgres/lease_table.hpp"
#include "store/postgres/options.hpp"
#include "store/postgres/pool.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/schema.hpp"
#include "store/postgres/session.hpp"
#include "store/postgres/snapshot.hpp"
#include "store/postgres/transaction.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan {
namespace {

using postgres::ConnectionSettings;
using postgres::Pool;
using postgres::Session;

constexpr std::chrono::seconds migrate_wait{60};

/// A snapshot without a deadline is waited for and lasts so long.
constexpr std::chrono::seconds snapshot_wait{30};
constexpr std::chrono::hours snapshot_life{1};

class PostgresStore final : public Store, public FarStore, public TimedStore {
 public:
  PostgresStore(PostgresOptions options, ConnectionSettings settings, const Clock& clock)
      : options_(std::move(options)),
        clock_(clock),
        writers_(settings, options_.connections_max, clock),
        readers_(std::move(settings), options_.readers_max, clock),
        leases_(writers_, clock),
        epochs_(writers_, clock),
        keys_(writers_, clock),
        guards_(writers_, clock),
        events_(writers_, readers_, clock),
        documents_(writers_, clock) {}

  /// To be called once: what is at the other end?
  Status look() {
    auto session = read_session(clock_.now() + options_.open_wait);
    if (!session) return session.error();
    auto durability = postgres::read_durability(*session);
    if (!durability) return durability.error();
    description_ = {
        "postgres", session->connection().peer().version_text, postgres::describe(*durability)};
    return {};
  }

  [[nodiscard]] StoreDescription describe() const override { return description_; }

  Result<std::vector<std::string>> migrate() override {
    const Deadline deadline = clock_.now() + migrate_wait;
    auto lent = writers_.lend(deadline);
    if (!lent) return lent.error();
    return postgres::run_migrations(
        Session(std::move(*lent), clock_, deadline, Session::Kind::write));
  }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    if (Status current = require_schema(deadline); !current) return current.error();
    auto lent = writers_.lend(deadline);
    if (!lent) return lent.error();
    return postgres::make_transaction(
        Session(std::move(*lent), clock_, deadline, Session::Kind::ledger),
        numbers_,
        options_.on_step);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return snapshot_until(Deadline::max()); }

  Result<std::unique_ptr<Snapshot>> snapshot_until(Deadline deadline) override {
    if (Status current = require_schema(deadline); !current) return current.error();
    auto session = read_session(deadline);
    if (!session) return session.error();
    return postgres::take_snapshot(std::move(*session));
  }

  Result<std::vector<Finding>> doctor() override {
    auto session = read_session(Deadline::max());
    if (!session) return session.error();
    return postgres::inspect(*session, options_.connections_max + options_.readers_max);
  }

  Result<std::uint64_t> disk_bytes() override {
    auto session = read_session(Deadline::max());
    if (!session) return session.error();
    postgres::Parameters parameters;
    parameters.text(options_.schema);
    auto answer = session->ask(postgres_sql::measure_disk, parameters);
    if (!answer) return answer.error();
    return static_cast<std::uint64_t>(postgres::Row(*answer, 0).integer(0));
  }

  LeaseTable& leases() override { return leases_; }

  EpochTable* epochs() override { return &epochs_; }

  KeyTable* keys() override { return &keys_; }

  GuardTable* guards() override { return &guards_; }

  EventLog* events() override { return &events_; }

  Result<EventPage> read_events_until(EventPlace after,
                                      std::size_t limit,
                                      Deadline deadline) override {
    return events_.read_until(after, limit, deadline);
  }

  Result<EventPlace> newest_event_until(Deadline deadline) override {
    return events_.newest_until(deadline);
  }

  DocumentTable* documents() override { return &documents_; }

  std::unique_ptr<DocumentTable> documents_until(Deadline deadline) override {
    return std::make_unique<postgres::PostgresDocumentTable>(writers_, clock_, deadline);
  }

 private:
  Result<Session> read_session(Deadline deadline) {
    const Instant now = clock_.now();
    auto lent = readers_.lend(std::min<Deadline>(deadline, now + snapshot_wait));
    if (!lent) return lent.error();
    const auto until = std::min<Deadline>(deadline, now + snapshot_life);
    return Session(std::move(*lent), clock_, until, Session::Kind::read);
  }

  /// Asked until it was right once: afterwards only an operator can make it wrong.
  Status require_schema(Deadline deadline) {
    if (has_schema_.load(std::memory_order_relaxed)) return {};
    auto session = read_session(std::min<Deadline>(deadline, clock_.now() + snapshot_wait));
    if (!session) return session.error();
    if (Status current = postgres::require_schema(*session); !current) return current;
    has_schema_.store(true, std::memory_order_relaxed);
    return {};
  }

  PostgresOptions options_;
  const Clock& clock_;
  StoreDescription description_;
  std::atomic<bool> has_schema_ = false;
  sql::Numbers numbers_;
  Pool writers_;
  Pool readers_;
  postgres::PostgresLeaseTable leases_;
  postgres::PostgresEpochTable epochs_;
  postgres::PostgresKeyTable keys_;
  postgres::PostgresGuardTable guards_;
  postgres::PostgresEventLog events_;
  postgres::PostgresDocumentTable documents_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(PostgresOptions options, const Clock& clock) {
  auto settings = postgres::to_settings(options);
  if (!settings) return settings.error();
  auto store = std::make_unique<PostgresStore>(std::move(options), std::move(*settings), clock);
  if (Status looked = store->look(); !looked) return looked.error();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace mizan
