#include "bench/baseline/server_place.hpp"

#if MIZAN_WITH_POSTGRES

#include "mizan/clock.hpp"
#include "mizan/postgres.hpp"

#include "base/random.hpp"
#include "bench/baseline/server_baseline.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::bench {
namespace {

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

/// Where the tables are.
struct Schema {
  std::string url;
  std::string name;
};

class PostgresClient final : public ServerClient {
 public:
  static Result<std::unique_ptr<ServerClient>> make(const Schema& schema,
                                                    std::span<const WalletId> wallets) {
    auto link = Link::open(schema.url);
    if (!link) return std::move(link).error();
    std::unique_ptr<PostgresClient> client(new PostgresClient(std::move(*link), wallets));
    const std::string& name = schema.name;
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
      if (auto done = client->link_.prepare(key, text); !done) return done.error();
    }
    return std::unique_ptr<ServerClient>(std::move(client));
  }

  Status transfer(TransferSource& source) override {
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
  PostgresClient(Link link, std::span<const WalletId> wallets)
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

class HandwrittenPostgres final : public ServerBaseline {
 public:
  static Result<std::unique_ptr<Baseline>> make(const Schema& schema,
                                                std::span<const WalletId> wallets) {
    std::unique_ptr<HandwrittenPostgres> made(new HandwrittenPostgres(schema, wallets));
    if (auto done = made->fill(); !done) return done.error();
    for (std::size_t i = 0; i < clients_count; ++i) {
      auto client = PostgresClient::make(schema, wallets);
      if (!client) return client.error();
      made->add(std::move(*client));
    }
    return std::unique_ptr<Baseline>(std::move(made));
  }

  [[nodiscard]] std::string_view what() const noexcept override {
    return "hand-written PostgreSQL: one durable transaction per transfer, 16 callers";
  }

  Status verify() override {
    auto link = Link::open(schema_.url);
    if (!link) return link.error();
    auto answer =
        link->run(fmt::format("SELECT (SELECT sum(balance) FROM {0}.wallet), (SELECT count(*) FROM "
                              "{0}.transfer)",
                              schema_.name));
    if (!answer) return answer.error();
    return check_books(PQgetvalue(answer->get(), 0, 0), PQgetvalue(answer->get(), 0, 1));
  }

 private:
  HandwrittenPostgres(const Schema& schema, std::span<const WalletId> wallets)
      : ServerBaseline(wallets), schema_(schema) {}

  Status fill() {
    auto link = Link::open(schema_.url);
    if (!link) return link.error();
    const std::string& name = schema_.name;
    std::string script = fmt::format(
        "CREATE TABLE {0}.wallet (id text PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= "
        "0)) WITH (fillfactor = 70);"
        "CREATE TABLE {0}.transfer (id text PRIMARY KEY, source text NOT NULL, destination text "
        "NOT NULL, amount bigint NOT NULL CHECK (amount > 0), at timestamptz NOT NULL);",
        name);
    for (std::size_t i = 0; i < wallets().size(); ++i) {
      script += i == 0 ? fmt::format("INSERT INTO {}.wallet VALUES ", name) : std::string(",");
      script += fmt::format("('{}',{})", wallets()[i].view(), wealth);
    }
    if (auto done = link->run(script); !done) return done.error();
    return {};
  }

  const Schema& schema_;
};

class PostgresPlace final : public ServerPlace {
 public:
  explicit PostgresPlace(Schema schema) : schema_(std::move(schema)) {}

  ~PostgresPlace() override {
    auto link = Link::open(schema_.url);
    if (link) static_cast<void>(link->run("DROP SCHEMA " + schema_.name + " CASCADE"));
  }

  [[nodiscard]] Result<std::unique_ptr<Store>> open_store() const override {
    PostgresOptions options;
    options.url = schema_.url;
    options.schema = schema_.name;
    return open_postgres_store(std::move(options), system_clock());
  }

  [[nodiscard]] Result<std::unique_ptr<Baseline>> make_baseline(
      std::span<const WalletId> wallets) const override {
    return HandwrittenPostgres::make(schema_, wallets);
  }

 private:
  Schema schema_;
};

}  // namespace

Result<std::unique_ptr<ServerPlace>> make_postgres_place(const std::string& url) {
  auto link = Link::open(url);
  if (!link) return std::move(link).error();
  const std::string name = fmt::format("mizan_bench_{:016x}", system_random().next());
  if (auto made = link->run("CREATE SCHEMA " + name); !made) return made.error();
  return std::unique_ptr<ServerPlace>(std::make_unique<PostgresPlace>(Schema{url, name}));
}

}  // namespace mizan::bench

#else

namespace mizan::bench {

Result<std::unique_ptr<ServerPlace>> make_postgres_place(const std::string& /*url*/) {
  return invalid_request("bench", "this build has no PostgreSQL");
}

}  // namespace mizan::bench

#endif
