#include "bench/baseline/handwritten_postgres.hpp"

#if MIZAN_WITH_POSTGRES

#include "mizan/clock.hpp"

#include "base/random.hpp"
#include "bench/cell.hpp"
#include "bench/histogram.hpp"
#include "bench/interrupt.hpp"
#include "bench/stopwatch.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <array>
#include <atomic>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::bench {
namespace {

constexpr std::int64_t wealth = 1'000'000'000'000;
constexpr std::size_t callers = 16;

struct Finish {
  void operator()(PGconn* link) const noexcept { PQfinish(link); }
};

struct Clear {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};

using Answer = std::unique_ptr<PGresult, Clear>;

/// A blocking connection.
class Link {
 public:
  static Result<Link> open(const std::string& url) {
    Link link(std::unique_ptr<PGconn, Finish>(PQconnectdb(url.c_str())));
    if (PQstatus(link.handle_.get()) != CONNECTION_OK) return link.failure("connect");
    // Dropping a schema tells of everything in it.
    PQsetNoticeProcessor(
        link.handle_.get(), [](void*, const char*) {}, nullptr);
    return link;
  }

  Result<Answer> run(const std::string& statement) {
    return checked(PQexec(handle_.get(), statement.c_str()), statement);
  }

  Status prepare(const char* name, const std::string& statement) {
    auto done = checked(PQprepare(handle_.get(), name, statement.c_str(), 0, nullptr), statement);
    if (!done) return done.error();
    return {};
  }

  Result<Answer> run_prepared(const char* name, std::initializer_list<const char*> values) {
    return checked(PQexecPrepared(handle_.get(),
                                  name,
                                  static_cast<int>(values.size()),
                                  std::data(values),
                                  nullptr,
                                  nullptr,
                                  0),
                   name);
  }

 private:
  explicit Link(std::unique_ptr<PGconn, Finish> handle) : handle_(std::move(handle)) {}

  Error failure(const std::string& where) const {
    return unavailable("baseline: " + where, PQerrorMessage(handle_.get()));
  }

  Result<Answer> checked(PGresult* result, const std::string& where) {
    Answer answer(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return answer;
    return failure(where);
  }

  std::unique_ptr<PGconn, Finish> handle_;
};

/// One of the sixteen.
class Caller {
 public:
  static Result<std::unique_ptr<Caller>> make(const ServerSchema& schema,
                                              std::span<const WalletId> wallets) {
    auto link = Link::open(schema.url());
    if (!link) return std::move(link).error();
    std::unique_ptr<Caller> caller(new Caller(std::move(*link), wallets));
    const std::string& name = schema.name();
    const std::pair<const char*, std::string> statements[] = {
        {"begin", "BEGIN"},
        {"record",
         fmt::format("INSERT INTO {}.transfer VALUES ($1, $2, $3, $4::bigint, now())", name)},
        {"debit",
         fmt::format("UPDATE {}.wallet SET balance = balance - $2::bigint "
                     "WHERE id = $1 AND balance >= $2::bigint",
                     name)},
        {"credit",
         fmt::format("UPDATE {}.wallet SET balance = balance + $2::bigint WHERE id = $1", name)},
        {"commit", "COMMIT"},
    };
    for (const auto& [key, text] : statements) {
      if (auto done = caller->link_.prepare(key, text); !done) return done.error();
    }
    return caller;
  }

  /// One transfer; repeated where the database found a deadlock.
  Status transfer(TransferSource& source) {
    const auto [from, to] = source.next_wallets();
    const std::string amount = std::to_string(source.next_amount());
    const std::string id = source.next_id().str();
    const std::string debited = wallets_[from].str();
    const std::string credited = wallets_[to].str();
    for (;;) {
      auto done = attempt(id, debited, credited, amount);
      if (done) return done;
      if (done.error().detail.find("deadlock") == std::string::npos) return done;
      if (auto undone = link_.run("ROLLBACK"); !undone) return undone.error();
    }
  }

 private:
  Caller(Link link, std::span<const WalletId> wallets)
      : link_(std::move(link)), wallets_(wallets) {}

  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): called once, in their order.
  Status attempt(const std::string& id,
                 const std::string& from,
                 const std::string& to,
                 const std::string& amount) {
    if (auto done = link_.run_prepared("begin", {}); !done) return done.error();
    auto recorded =
        link_.run_prepared("record", {id.c_str(), from.c_str(), to.c_str(), amount.c_str()});
    if (!recorded) return recorded.error();
    for (const auto& [key, wallet] : {std::pair("debit", &from), std::pair("credit", &to)}) {
      auto changed = link_.run_prepared(key, {wallet->c_str(), amount.c_str()});
      if (!changed) return changed.error();
      if (std::string_view(PQcmdTuples(changed->get())) != "1") {
        return internal_error("baseline", "a wallet has too little money or is missing");
      }
    }
    if (auto done = link_.run_prepared("commit", {}); !done) return done.error();
    return {};
  }

  Link link_;
  std::span<const WalletId> wallets_;
};

class HandwrittenPostgres final : public Baseline {
 public:
  static Result<std::unique_ptr<Baseline>> make(const ServerSchema& schema,
                                                std::span<const WalletId> wallets) {
    std::unique_ptr<HandwrittenPostgres> made(new HandwrittenPostgres(schema, wallets));
    if (auto done = made->fill(); !done) return done.error();
    for (std::size_t i = 0; i < callers; ++i) {
      auto caller = Caller::make(schema, wallets);
      if (!caller) return caller.error();
      made->callers_.push_back(std::move(*caller));
    }
    return std::unique_ptr<Baseline>(std::move(made));
  }

  [[nodiscard]] std::string_view what() const noexcept override {
    return "hand-written PostgreSQL: one durable transaction per transfer, 16 callers";
  }

  Result<double> measure(Pairing pairing, double seconds) override {
    const auto start = Ticks::now();
    const auto end = later(start, seconds);
    std::atomic<std::uint64_t> done = 0;
    std::mutex mutex;
    std::optional<Error> failed;
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < callers; ++i) {
        threads.emplace_back([&, i, seed = ++seed_] {
          TransferSource source(wallets_, {pairing, IdOrder::time_ordered, seed});
          while (Ticks::now() < end && !is_interrupted()) {
            const Status moved = callers_[i]->transfer(source);
            if (moved) {
              ++done;
              continue;
            }
            const std::lock_guard lock(mutex);
            failed = moved.error();
            return;
          }
        });
      }
    }
    if (failed) return *failed;
    applied_ += done;
    return static_cast<double>(done) / seconds_between(start, Ticks::now());
  }

  Result<double> measure_one(Pairing pairing, double seconds) override {
    TransferSource source(wallets_, {pairing, IdOrder::time_ordered, ++seed_});
    Histogram latency;
    auto now = Ticks::now();
    const auto end = later(now, seconds);
    while (now < end && !is_interrupted()) {
      if (auto moved = callers_.front()->transfer(source); !moved) return moved.error();
      const auto before = std::exchange(now, Ticks::now());
      latency.record(nanoseconds_between(before, now));
    }
    applied_ += latency.count();
    return percentiles_of(latency).p50;
  }

  Status verify() override {
    auto link = Link::open(schema_.url());
    if (!link) return link.error();
    auto answer =
        link->run(fmt::format("SELECT (SELECT sum(balance) FROM {0}.wallet), (SELECT count(*) FROM "
                              "{0}.transfer)",
                              schema_.name()));
    if (!answer) return answer.error();
    const std::string total = PQgetvalue(answer->get(), 0, 0);
    if (total != std::to_string(wealth * static_cast<std::int64_t>(wallets_.size()))) {
      return internal_error("baseline", "money appeared or vanished");
    }
    if (PQgetvalue(answer->get(), 0, 1) != std::to_string(applied_)) {
      return internal_error("baseline", "a transfer is missing");
    }
    return {};
  }

 private:
  HandwrittenPostgres(const ServerSchema& schema, std::span<const WalletId> wallets)
      : schema_(schema), wallets_(wallets) {}

  Status fill() {
    auto link = Link::open(schema_.url());
    if (!link) return link.error();
    const std::string& name = schema_.name();
    std::string script = fmt::format(
        "CREATE TABLE {0}.wallet (id text PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= "
        "0)) WITH (fillfactor = 70);"
        "CREATE TABLE {0}.transfer (id text PRIMARY KEY, source text NOT NULL, destination text "
        "NOT NULL, amount bigint NOT NULL CHECK (amount > 0), at timestamptz NOT NULL);",
        name);
    for (std::size_t i = 0; i < wallets_.size(); ++i) {
      script += i == 0 ? fmt::format("INSERT INTO {}.wallet VALUES ", name) : std::string(",");
      script += fmt::format("('{}',{})", wallets_[i].view(), wealth);
    }
    if (auto done = link->run(script); !done) return done.error();
    return {};
  }

  const ServerSchema& schema_;
  std::span<const WalletId> wallets_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::uint64_t seed_ = 0;
  std::uint64_t applied_ = 0;
};

}  // namespace

Result<std::unique_ptr<ServerSchema>> ServerSchema::make(const std::string& url) {
  auto link = Link::open(url);
  if (!link) return std::move(link).error();
  const std::string name = fmt::format("mizan_bench_{:016x}", system_random().next());
  if (auto made = link->run("CREATE SCHEMA " + name); !made) return made.error();
  return std::unique_ptr<ServerSchema>(new ServerSchema(url, name));
}

ServerSchema::~ServerSchema() {
  auto link = Link::open(url_);
  if (link) static_cast<void>(link->run("DROP SCHEMA " + name_ + " CASCADE"));
}

Result<std::unique_ptr<Baseline>> make_postgres_baseline(const ServerSchema& schema,
                                                         std::span<const WalletId> wallets) {
  return HandwrittenPostgres::make(schema, wallets);
}

}  // namespace mizan::bench

#else

namespace mizan::bench {
namespace {

Error absent() {
  return invalid_request("bench", "this build has no PostgreSQL");
}

}  // namespace

Result<std::unique_ptr<ServerSchema>> ServerSchema::make(const std::string& /*url*/) {
  return absent();
}

ServerSchema::~ServerSchema() = default;

Result<std::unique_ptr<Baseline>> make_postgres_baseline(const ServerSchema& /*schema*/,
                                                         std::span<const WalletId> /*wallets*/) {
  return absent();
}

}  // namespace mizan::bench

#endif
