#include "mizan/mariadb.hpp"

#include "base/far_store.hpp"
#include "base/timed_store.hpp"
#include "store/mariadb/doctor.hpp"
#include "store/mariadb/document_table.hpp"
#include "store/mariadb/epoch_table.hpp"
#include "store/mariadb/event_log.hpp"
#include "store/mariadb/guard_table.hpp"
#include "store/mariadb/key_table.hpp"
#include "store/mariadb/lease_table.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/options.hpp"
#include "store/mariadb/pool.hpp"
#include "store/mariadb/schema.hpp"
#include "store/mariadb/session.hpp"
#include "store/mariadb/snapshot.hpp"
#include "store/mariadb/transaction.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mizan {
namespace {

using mariadb::ConnectionSettings;
using mariadb::Pool;
using mariadb::Session;

constexpr std::chrono::seconds migrate_wait{60};

/// A snapshot without a deadline is waited for and lasts so long.
constexpr std::chrono::seconds snapshot_wait{30};
constexpr std::chrono::hours snapshot_life{1};

class MariadbStore final : public Store, public FarStore, public TimedStore {
 public:
  MariadbStore(MariadbOptions options, ConnectionSettings settings, const Clock& clock)
      : options_(std::move(options)),
        clock_(clock),
        writers_(settings, options_.connections_max, clock),
        readers_(reading(settings), options_.readers_max, clock),
        observers_(observing(std::move(settings)), 1, clock),
        leases_(writers_, clock),
        epochs_(writers_, clock),
        keys_(writers_, clock),
        guards_(writers_, clock),
        events_(writers_, readers_, clock),
        documents_(writers_, clock) {}

  /// To be called once: what is at the other end?
  Status look() {
    return observe(clock_.now() + options_.open_wait, [this](Session& session) -> Status {
      auto settings = mariadb::ServerSettings::read(session);
      if (!settings) return settings.error();
      description_ = {
          "mariadb", session.connection().peer().version_text, mariadb::describe(*settings)};
      return {};
    });
  }

  [[nodiscard]] StoreDescription describe() const override { return description_; }

  Result<std::vector<std::string>> migrate() override {
    const Deadline deadline = clock_.now() + migrate_wait;
    auto lent = writers_.lend(deadline);
    if (!lent) return lent.error();
    return mariadb::run_migrations(std::move(*lent), clock_, deadline);
  }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    if (Status current = require_schema(deadline); !current) return current.error();
    auto lent = writers_.lend(deadline);
    if (!lent) return lent.error();
    Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
    if (!counts_found_rows_.load(std::memory_order_relaxed)) {
      return begin_first(std::move(session));
    }
    return mariadb::make_transaction(std::move(session), numbers_, options_.on_step);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return snapshot_until(Deadline::max()); }

  Result<std::unique_ptr<Snapshot>> snapshot_until(Deadline deadline) override {
    if (Status current = require_schema(deadline); !current) return current.error();
    // A link that was lost meanwhile, or a node that is not in its cluster's majority any more, is
    // left behind; one attempt more than there are nodes, since each may be met in that state.
    for (std::size_t left = options_.further_nodes.size() + 1;; --left) {
      auto session = read_session(deadline);
      if (!session) return session.error();
      auto snapshot = mariadb::take_snapshot(std::move(*session));
      if (snapshot || snapshot.error().retry != Retry::now || left == 0) return snapshot;
    }
  }

  Result<std::vector<Finding>> doctor() override {
    return observe(Deadline::max(), [this](Session& session) {
      return mariadb::inspect(session, options_.connections_max + options_.readers_max);
    });
  }

  Result<std::uint64_t> disk_bytes() override {
    auto session = read_session(Deadline::max());
    if (!session) return session.error();
    mariadb::Parameters parameters;
    parameters.text(options_.prefix).text(options_.prefix);
    auto answer = session->ask(mariadb_sql::measure_disk, parameters);
    if (!answer) return answer.error();
    return static_cast<std::uint64_t>(mariadb::Row(*answer, 0).integer(0));
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
    return std::make_unique<mariadb::MariadbDocumentTable>(writers_, clock_, deadline);
  }

 private:
  static ConnectionSettings reading(ConnectionSettings settings) {
    settings.reads = true;
    return settings;
  }

  static ConnectionSettings observing(ConnectionSettings settings) {
    settings.observes = true;
    return reading(std::move(settings));
  }

  /// The first transaction comes after a look at how the server counts rows.
  Result<std::unique_ptr<Transaction>> begin_first(Session session) {
    const Deadline deadline = session.deadline();
    if (Status tested = mariadb::test_found_rows(session); !tested) return tested.error();
    counts_found_rows_.store(true, std::memory_order_relaxed);
    return mariadb::make_transaction(
        Session(session.release(), clock_, deadline, Session::Kind::write),
        numbers_,
        options_.on_step);
  }

  /// Of a node that works, or where there is none of the first that answers: it is still to be
  /// looked at.
  template <class Look>
  std::invoke_result_t<Look, Session&> observe(Deadline deadline, Look look) {
    auto working = read_session(deadline);
    if (!working && working.error().code != Code::unavailable) return working.error();
    if (working) {
      auto seen = look(*working);
      if (seen || seen.error().code != Code::unavailable) return seen;
    }
    auto any = session_of(observers_, Session::Kind::observe, deadline);
    if (!any) return working ? any.error() : working.error();
    return look(*any);
  }

  Result<Session> read_session(Deadline deadline) {
    return session_of(readers_, Session::Kind::read, deadline);
  }

  Result<Session> session_of(Pool& pool, Session::Kind kind, Deadline deadline) {
    const Instant now = clock_.now();
    auto lent = pool.lend(std::min<Deadline>(deadline, now + snapshot_wait));
    if (!lent) return lent.error();
    const auto until = std::min<Deadline>(deadline, now + snapshot_life);
    return Session(std::move(*lent), clock_, until, kind);
  }

  /// Asked until it was right once: afterwards only an operator can make it wrong.
  Status require_schema(Deadline deadline) {
    if (has_schema_.load(std::memory_order_relaxed)) return {};
    auto session = read_session(std::min<Deadline>(deadline, clock_.now() + snapshot_wait));
    if (!session) return session.error();
    if (Status current = mariadb::require_schema(*session); !current) return current;
    has_schema_.store(true, std::memory_order_relaxed);
    return {};
  }

  MariadbOptions options_;
  const Clock& clock_;
  StoreDescription description_;
  std::atomic<bool> has_schema_ = false;
  std::atomic<bool> counts_found_rows_ = false;
  sql::Numbers numbers_;
  Pool writers_;
  Pool readers_;
  Pool observers_;
  mariadb::MariadbLeaseTable leases_;
  mariadb::MariadbEpochTable epochs_;
  mariadb::MariadbKeyTable keys_;
  mariadb::MariadbGuardTable guards_;
  mariadb::MariadbEventLog events_;
  mariadb::MariadbDocumentTable documents_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_mariadb_store(MariadbOptions options, const Clock& clock) {
  auto settings = mariadb::to_settings(options);
  if (!settings) return settings.error();
  auto store = std::make_unique<MariadbStore>(std::move(options), std::move(*settings), clock);
  if (Status looked = store->look(); !looked) return looked.error();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace mizan
