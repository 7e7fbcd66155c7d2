#include "mizan/postgres.hpp"

#include "base/password_file.hpp"
#include "base/text.hpp"
#include "prover/servers/sql_link.hpp"

#include <utility>

#if MIZAN_WITH_POSTGRES

#include <libpq-fe.h>

#include <array>
#include <charconv>

namespace mizan::prover {

namespace {

struct Finish {
  void operator()(PGconn* link) const noexcept { PQfinish(link); }
};

struct Clear {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};

struct Free {
  void operator()(char* text) const noexcept { PQfreemem(text); }
};

using Link = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Clear>;

Error failed(PGconn* link, std::string_view what) {
  std::string said = link == nullptr ? std::string() : PQerrorMessage(link);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return unavailable("prover: " + std::string(what), escape_for_log(said));
}

Result<Link> connect(const PostgresOptions& options) {
  std::string password;
  if (!options.password_file.empty()) {
    auto read = read_password_file(options.password_file);
    if (!read) return read.error();
    password = *std::move(read);
  }
  // Later words win: what the URL says about the timeout, and the file's password over the URL's.
  const std::array<const char*, 5> names{
      "connect_timeout", "application_name", "dbname", "password", nullptr};
  const std::array<const char*, 5> values{"10",
                                          "mizan prove",
                                          options.url.c_str(),
                                          password.empty() ? nullptr : password.c_str(),
                                          nullptr};
  Link link(PQconnectdbParams(names.data(), values.data(), 1));
  if (PQstatus(link.get()) != CONNECTION_OK) return failed(link.get(), "connect");
  return link;
}

SqlFailure meaning_of(std::string_view state) {
  if (state == "40P01") return SqlFailure::deadlock;
  if (state == "40001") return SqlFailure::serialization;
  if (state == "55P03" || state == "57014") return SqlFailure::lock_timeout;
  return SqlFailure::other;
}

class PostgresLink final : public SqlLink {
 public:
  explicit PostgresLink(Link link) noexcept : link_(std::move(link)) {}

  [[nodiscard]] Engine engine() const noexcept override { return Engine::postgres; }

  Result<SqlAnswer> run(const std::string& statement) override {
    const Answer answer(PQexec(link_.get(), statement.c_str()));
    const ExecStatusType status = PQresultStatus(answer.get());
    failure_ = SqlFailure::none;
    code_.clear();
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      const char* state = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
      code_ = state == nullptr ? "" : state;
      failure_ = meaning_of(code_);
      return failed(link_.get(), "postgres");
    }
    return read(answer.get());
  }

  [[nodiscard]] SqlFailure failure() const noexcept override { return failure_; }

  [[nodiscard]] std::string failure_code() const override { return code_; }

  [[nodiscard]] std::uint64_t session() const noexcept override {
    return static_cast<std::uint64_t>(PQbackendPID(link_.get()));
  }

  [[nodiscard]] std::string quoted(std::string_view name) const override {
    const std::unique_ptr<char, Free> text(
        PQescapeIdentifier(link_.get(), name.data(), name.size()));
    return text == nullptr ? std::string() : std::string(text.get());
  }

 private:
  static SqlAnswer read(PGresult* result) {
    SqlAnswer answer;
    answer.said = PQcmdStatus(result);
    const std::string_view affected = PQcmdTuples(result);
    std::from_chars(affected.data(), affected.data() + affected.size(), answer.affected);
    for (int row = 0; row < PQntuples(result); ++row) {
      auto& fields = answer.rows.emplace_back();
      for (int column = 0; column < PQnfields(result); ++column) {
        fields.emplace_back(PQgetvalue(result, row, column));
      }
    }
    return answer;
  }

  Link link_;
  SqlFailure failure_ = SqlFailure::none;
  std::string code_;
};

}  // namespace

Result<std::unique_ptr<SqlLink>> open_postgres_link(const std::string& url,
                                                    const std::string& room) {
  const auto options = parse_postgres_url(url);
  if (!options) return options.error();
  auto link = connect(*options);
  if (!link) return std::move(link).error();
  std::unique_ptr<SqlLink> opened = std::make_unique<PostgresLink>(std::move(*link));
  if (room.empty()) return opened;
  const auto placed = opened->run("SET search_path = " + opened->quoted(room));
  if (!placed) return placed.error();
  return opened;
}

}  // namespace mizan::prover

#else

namespace mizan::prover {

Result<std::unique_ptr<SqlLink>> open_postgres_link(const std::string&, const std::string&) {
  return invalid_request("mizan prove", "this build has no PostgreSQL store");
}

}  // namespace mizan::prover

#endif
