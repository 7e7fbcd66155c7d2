#include "bench/baseline/server_place.hpp"

#if MIZAN_WITH_MARIADB

#include "mizan/clock.hpp"
#include "mizan/mariadb.hpp"

#include "base/random.hpp"
#include "bench/baseline/server_baseline.hpp"

#include <fmt/format.h>
#include <mysql.h>

#include <array>
#include <fstream>
#include <initializer_list>
#include <utility>

namespace mizan::bench {
namespace {

constexpr unsigned deadlock = 1213;

struct Close {
  void operator()(MYSQL* link) const noexcept { mysql_close(link); }

  void operator()(MYSQL_STMT* statement) const noexcept { mysql_stmt_close(statement); }

  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

using Handle = std::unique_ptr<MYSQL, Close>;
using Prepared = std::unique_ptr<MYSQL_STMT, Close>;

/// A value of a statement that is run once.
class Value {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): values stand in lists.
  Value(const std::string& text) : text_(text.data()), size_(text.size()) {}

  // NOLINTNEXTLINE(google-explicit-constructor): values stand in lists.
  Value(std::int64_t number) : number_(number) {}

  /// Borrows from the value.
  [[nodiscard]] MYSQL_BIND bind() const {
    MYSQL_BIND bind{};
    bind.buffer_type = text_ != nullptr ? MYSQL_TYPE_STRING : MYSQL_TYPE_LONGLONG;
    const void* value = text_ != nullptr ? static_cast<const void*>(text_) : &number_;
    bind.buffer = const_cast<void*>(value);  // The library only reads what a parameter points at.
    bind.buffer_length = size_;
    return bind;
  }

 private:
  const char* text_ = nullptr;
  unsigned long size_ = 0;
  std::int64_t number_ = 0;
};

/// A blocking connection.
class Link {
 public:
  static Result<Link> open(const MariadbOptions& options) {
    Link link;
    MYSQL* handle = link.handle_.get();
    const my_bool yes = 1;
    const my_bool verifies = options.tls == MariadbOptions::Tls::verified ? 1 : 0;
    mysql_optionsv(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (options.tls != MariadbOptions::Tls::off) {
      mysql_optionsv(handle, MYSQL_OPT_SSL_ENFORCE, &yes);
      mysql_optionsv(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verifies);
      if (!options.tls_ca.empty()) {
        mysql_optionsv(handle, MYSQL_OPT_SSL_CA, options.tls_ca.c_str());
      }
    }
    std::string password = options.password;
    if (!options.password_file.empty()) {
      std::ifstream file(options.password_file);
      std::getline(file, password);
    }
    const bool by_socket = options.host.empty();
    const MYSQL* connected =
        mysql_real_connect(handle,
                           by_socket ? "localhost" : options.host.c_str(),
                           options.user.c_str(),
                           password.c_str(),
                           options.database.c_str(),
                           by_socket ? 0 : options.port,
                           options.socket.empty() ? nullptr : options.socket.c_str(),
                           CLIENT_FOUND_ROWS);
    if (connected == nullptr) return link.failure("connect");
    if (auto set = link.run("SET SESSION sql_mode = 'STRICT_ALL_TABLES', "
                            "tx_isolation = 'READ-COMMITTED'");
        !set) {
      return set.error();
    }
    return link;
  }

  Status run(const std::string& statement) {
    if (mysql_real_query(handle_.get(), statement.data(), statement.size()) == 0) return {};
    return failure(statement.substr(0, 40));
  }

  /// The first row's columns as text; empty where nothing was found.
  Result<std::vector<std::vector<std::string>>> rows(const std::string& statement) {
    if (auto done = run(statement); !done) return done.error();
    const std::unique_ptr<MYSQL_RES, Close> result(mysql_store_result(handle_.get()));
    if (result == nullptr) return failure(statement.substr(0, 40));
    std::vector<std::vector<std::string>> all;
    while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
      auto& columns = all.emplace_back();
      for (unsigned i = 0; i < mysql_num_fields(result.get()); ++i) {
        columns.emplace_back(row[i] != nullptr ? row[i] : "");
      }
    }
    return all;
  }

  Result<Prepared> prepare(const std::string& text) {
    Prepared statement(mysql_stmt_init(handle_.get()));
    if (statement == nullptr) return failure("prepare");
    if (mysql_stmt_prepare(statement.get(), text.data(), text.size()) == 0) return statement;
    return unavailable("baseline: prepare", mysql_stmt_error(statement.get()));
  }

  /// How many rows it found.
  Result<std::uint64_t> run(const Prepared& statement, std::initializer_list<Value> values) {
    std::array<MYSQL_BIND, 4> binds{};
    std::size_t count = 0;
    for (const Value& value : values) binds[count++] = value.bind();
    const bool done = mysql_stmt_bind_param(statement.get(), binds.data()) == 0 &&
                      mysql_stmt_execute(statement.get()) == 0;
    if (done) return mysql_stmt_affected_rows(statement.get());
    is_deadlock_ = mysql_stmt_errno(statement.get()) == deadlock;
    return unavailable("baseline: run", mysql_stmt_error(statement.get()));
  }

  /// Was the last failure one?
  [[nodiscard]] bool is_deadlock() const noexcept { return is_deadlock_; }

 private:
  Link() : handle_(mysql_init(nullptr)) {}

  Error failure(const std::string& where) {
    is_deadlock_ = mysql_errno(handle_.get()) == deadlock;
    return unavailable("baseline: " + where, mysql_error(handle_.get()));
  }

  Handle handle_;
  bool is_deadlock_ = false;
};

class MariadbClient final : public ServerClient {
 public:
  static Result<std::unique_ptr<ServerClient>> make(const MariadbOptions& options,
                                                    std::span<const WalletId> wallets) {
    auto link = Link::open(options);
    if (!link) return std::move(link).error();
    std::unique_ptr<MariadbClient> client(new MariadbClient(std::move(*link), wallets));
    const std::pair<Prepared*, std::string> statements[] = {
        {&client->record_,
         fmt::format("INSERT INTO {}transfer VALUES (?, ?, ?, ?, NOW(6))", options.prefix)},
        {&client->debit_,
         fmt::format("UPDATE {}wallet SET balance = balance - ? WHERE id = ? AND balance >= ?",
                     options.prefix)},
        {&client->credit_,
         fmt::format("UPDATE {}wallet SET balance = balance + ? WHERE id = ?", options.prefix)},
    };
    for (const auto& [statement, text] : statements) {
      auto prepared = client->link_.prepare(text);
      if (!prepared) return std::move(prepared).error();
      *statement = std::move(*prepared);
    }
    return std::unique_ptr<ServerClient>(std::move(client));
  }

  Status transfer(TransferSource& source) override {
    const auto [from, to] = source.next_wallets();
    const Wanted wanted{
        source.next_id().str(), wallets_[from].str(), wallets_[to].str(), source.next_amount()};
    for (;;) {
      Status done = attempt(wanted);
      if (done || !link_.is_deadlock()) return done;
      if (auto undone = link_.run("ROLLBACK"); !undone) return undone;
    }
  }

 private:
  struct Wanted {
    std::string id;
    std::string from;
    std::string to;
    std::int64_t amount;
  };

  MariadbClient(Link link, std::span<const WalletId> wallets)
      : link_(std::move(link)), wallets_(wallets) {}

  Status attempt(const Wanted& wanted) {
    if (auto begun = link_.run("START TRANSACTION"); !begun) return begun;
    auto recorded = link_.run(record_, {wanted.id, wanted.from, wanted.to, Value(wanted.amount)});
    if (!recorded) return recorded.error();
    auto debited = link_.run(debit_, {wanted.amount, wanted.from, wanted.amount});
    if (!debited) return debited.error();
    auto credited = link_.run(credit_, {wanted.amount, wanted.to});
    if (!credited) return credited.error();
    if (*debited != 1 || *credited != 1) {
      return internal_error("baseline", "a wallet has too little money or is missing");
    }
    return link_.run("COMMIT");
  }

  Link link_;  // Outlives what it prepared.
  std::span<const WalletId> wallets_;
  Prepared record_;
  Prepared debit_;
  Prepared credit_;
};

class HandwrittenMariadb final : public ServerBaseline {
 public:
  static Result<std::unique_ptr<Baseline>> make(const MariadbOptions& options,
                                                std::span<const WalletId> wallets) {
    std::unique_ptr<HandwrittenMariadb> made(new HandwrittenMariadb(options, wallets));
    if (auto done = made->fill(); !done) return done.error();
    for (std::size_t i = 0; i < clients_count; ++i) {
      auto client = MariadbClient::make(options, wallets);
      if (!client) return client.error();
      made->add(std::move(*client));
    }
    return std::unique_ptr<Baseline>(std::move(made));
  }

  [[nodiscard]] std::string_view what() const noexcept override {
    return "hand-written MariaDB: one durable transaction per transfer, 16 callers";
  }

  Status verify() override {
    auto link = Link::open(options_);
    if (!link) return link.error();
    auto books = link->rows(fmt::format(
        "SELECT (SELECT SUM(balance) FROM {0}wallet), (SELECT COUNT(*) FROM {0}transfer)",
        options_.prefix));
    if (!books) return books.error();
    return check_books((*books)[0][0], (*books)[0][1]);
  }

 private:
  HandwrittenMariadb(const MariadbOptions& options, std::span<const WalletId> wallets)
      : ServerBaseline(wallets), options_(options) {}

  Status fill() {
    auto link = Link::open(options_);
    if (!link) return link.error();
    const std::string& prefix = options_.prefix;
    std::vector<std::string> script = {
        fmt::format("CREATE TABLE {}wallet (id VARCHAR(64) NOT NULL PRIMARY KEY, balance BIGINT "
                    "NOT NULL CHECK (balance >= 0)) ENGINE = InnoDB CHARACTER SET ascii COLLATE "
                    "ascii_bin",
                    prefix),
        fmt::format("CREATE TABLE {}transfer (id VARCHAR(64) NOT NULL PRIMARY KEY, source "
                    "VARCHAR(64) NOT NULL, destination VARCHAR(64) NOT NULL, amount BIGINT NOT "
                    "NULL CHECK (amount > 0), at DATETIME(6) NOT NULL) ENGINE = InnoDB CHARACTER "
                    "SET ascii COLLATE ascii_bin",
                    prefix)};
    constexpr std::size_t wallets_per_statement = 10'000;
    for (std::size_t i = 0; i < wallets().size(); ++i) {
      const bool begins = i % wallets_per_statement == 0;
      if (begins) script.push_back(fmt::format("INSERT INTO {}wallet VALUES ", prefix));
      script.back() += fmt::format("{}('{}',{})", begins ? "" : ",", wallets()[i].view(), wealth);
    }
    for (const std::string& statement : script) {
      if (auto done = link->run(statement); !done) return done;
    }
    return {};
  }

  const MariadbOptions& options_;
};

/// Tables that begin with a prefix of their own.
class MariadbPlace final : public ServerPlace {
 public:
  explicit MariadbPlace(MariadbOptions options) : options_(std::move(options)) {}

  ~MariadbPlace() override {
    auto link = Link::open(options_);
    if (link) static_cast<void>(remove_all(*link));
  }

  [[nodiscard]] Result<std::unique_ptr<Store>> open_store() const override {
    return open_mariadb_store(options_, system_clock());
  }

  [[nodiscard]] Result<std::unique_ptr<Baseline>> make_baseline(
      std::span<const WalletId> wallets) const override {
    return HandwrittenMariadb::make(options_, wallets);
  }

 private:
  Status remove_all(Link& link) const {
    auto found =
        link.rows(fmt::format("SELECT table_name, table_type FROM "
                              "information_schema.TABLES WHERE table_schema = DATABASE() "
                              "AND LEFT(table_name, {}) = '{}' ORDER BY table_type DESC",
                              options_.prefix.size(),
                              options_.prefix));
    if (!found) return found.error();
    if (auto off = link.run("SET foreign_key_checks = 0"); !off) return off;
    for (const auto& row : *found) {
      const std::string kind = row[1] == "VIEW"       ? "VIEW"
                               : row[1] == "SEQUENCE" ? "SEQUENCE"
                                                      : "TABLE";
      if (auto dropped = link.run(fmt::format("DROP {} `{}`", kind, row[0])); !dropped) {
        return dropped;
      }
    }
    auto procedures =
        link.rows(fmt::format("SELECT routine_name FROM information_schema.ROUTINES "
                              "WHERE routine_schema = DATABASE() AND "
                              "LEFT(routine_name, {}) = '{}'",
                              options_.prefix.size(),
                              options_.prefix));
    if (!procedures) return procedures.error();
    for (const auto& row : *procedures) {
      if (auto dropped = link.run("DROP PROCEDURE `" + row[0] + "`"); !dropped) return dropped;
    }
    return {};
  }

  MariadbOptions options_;
};

}  // namespace

Result<std::unique_ptr<ServerPlace>> make_mariadb_place(const std::string& url) {
  auto options = parse_mariadb_url(url);
  if (!options) return options.error();
  options->prefix = fmt::format("bench_{:016x}_", system_random().next());
  if (auto link = Link::open(*options); !link) return std::move(link).error();
  return std::unique_ptr<ServerPlace>(std::make_unique<MariadbPlace>(std::move(*options)));
}

}  // namespace mizan::bench

#else

namespace mizan::bench {

Result<std::unique_ptr<ServerPlace>> make_mariadb_place(const std::string& /*url*/) {
  return invalid_request("bench", "this build has no MariaDB");
}

}  // namespace mizan::bench

#endif
