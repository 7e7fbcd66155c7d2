#include "base/password_file.hpp"
#include "base/text.hpp"
#include "prover/servers/mariadb_options.hpp"
#include "prover/servers/sql_link.hpp"

#include <utility>

#if MIZAN_WITH_MARIADB

#include <mysql.h>

#include <array>

namespace mizan::prover {

namespace {

struct Close {
  void operator()(MYSQL* link) const noexcept { mysql_close(link); }
};

struct Free {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

using Link = std::unique_ptr<MYSQL, Close>;
using Answer = std::unique_ptr<MYSQL_RES, Free>;

/// Ways to prove who we are that give the password to nobody who only claims to be the server.
constexpr const char* safe_ways =
    "mysql_native_password,client_ed25519,caching_sha2_password,auth_gssapi_client,parsec";

Error failed(MYSQL* link, std::string_view what) {
  return unavailable("prover: " + std::string(what),
                     link == nullptr ? "out of memory" : escape_for_log(mysql_error(link)));
}

bool set_options(MYSQL* link, const MariadbOptions& options) {
  const unsigned int connect_seconds = 10;
  const unsigned int silence_seconds = 60;
  const unsigned int zero = 0;
  const my_bool yes = 1;
  bool good = mysql_optionsv(link, MYSQL_OPT_CONNECT_TIMEOUT, &connect_seconds) == 0;
  good = good && mysql_optionsv(link, MYSQL_OPT_READ_TIMEOUT, &silence_seconds) == 0;
  good = good && mysql_optionsv(link, MYSQL_OPT_LOCAL_INFILE, &zero) == 0;
  good = good && mysql_optionsv(link, MYSQL_SET_CHARSET_NAME, "utf8mb4") == 0;
  good = good && mysql_optionsv(link, MARIADB_OPT_RESTRICTED_AUTH, safe_ways) == 0;
  if (options.tls == MariadbOptions::Tls::off) return good;
  const my_bool verifies = options.tls == MariadbOptions::Tls::verified ? 1 : 0;
  good = good && mysql_optionsv(link, MYSQL_OPT_SSL_ENFORCE, &yes) == 0;
  good = good && mysql_optionsv(link, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verifies) == 0;
  const std::array<std::pair<mysql_option, std::string>, 3> files{
      std::pair(MYSQL_OPT_SSL_CA, options.tls_ca.string()),
      std::pair(MYSQL_OPT_SSL_CERT, options.tls_certificate.string()),
      std::pair(MYSQL_OPT_SSL_KEY, options.tls_key.string())};
  for (const auto& [option, file] : files) {
    if (!file.empty()) good = good && mysql_optionsv(link, option, file.c_str()) == 0;
  }
  return good;
}

Result<Link> connect(const MariadbOptions& options) {
  std::string password = options.password;
  if (password.empty() && !options.password_file.empty()) {
    auto read = read_password_file(options.password_file);
    if (!read) return read.error();
    password = *std::move(read);
  }
  Link link(mysql_init(nullptr));
  if (link == nullptr || !set_options(link.get(), options)) return failed(link.get(), "connect");
  const bool by_socket = options.host.empty();
  const char* socket = by_socket && !options.socket.empty() ? options.socket.c_str() : nullptr;
  if (mysql_real_connect(link.get(),
                         by_socket ? "localhost" : options.host.c_str(),
                         options.user.c_str(),
                         password.c_str(),
                         options.database.c_str(),
                         by_socket ? 0 : options.port,
                         socket,
                         CLIENT_FOUND_ROWS) == nullptr) {
    return failed(link.get(), "connect");
  }
  return link;
}

SqlFailure meaning_of(unsigned int number) {
  if (number == 1213) return SqlFailure::deadlock;
  if (number == 1020) return SqlFailure::serialization;
  if (number == 1205 || number == 1969) return SqlFailure::lock_timeout;
  return SqlFailure::other;
}

class MariadbLink final : public SqlLink {
 public:
  explicit MariadbLink(Link link) noexcept : link_(std::move(link)) {}

  [[nodiscard]] Engine engine() const noexcept override { return Engine::mariadb; }

  Result<SqlAnswer> run(const std::string& statement) override {
    failure_ = SqlFailure::none;
    code_.clear();
    MYSQL* link = link_.get();
    if (mysql_real_query(link, statement.data(), statement.size()) != 0) {
      code_ = std::to_string(mysql_errno(link));
      failure_ = meaning_of(mysql_errno(link));
      return failed(link, "mariadb");
    }
    const Answer result(mysql_store_result(link));
    SqlAnswer answer;
    answer.affected = result == nullptr ? mysql_affected_rows(link) : 0;
    if (result == nullptr) return answer;
    const unsigned int columns = mysql_num_fields(result.get());
    while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
      auto& fields = answer.rows.emplace_back();
      for (unsigned int column = 0; column < columns; ++column) {
        fields.emplace_back(row[column] == nullptr ? "" : row[column]);
      }
    }
    return answer;
  }

  [[nodiscard]] SqlFailure failure() const noexcept override { return failure_; }

  [[nodiscard]] std::string failure_code() const override { return code_; }

  [[nodiscard]] std::uint64_t session() const noexcept override {
    return mysql_thread_id(link_.get());
  }

  [[nodiscard]] std::string quoted(std::string_view name) const override {
    std::string text = "`";
    for (const char letter : name) text += letter == '`' ? std::string("``") : std::string{letter};
    return text + '`';
  }

 private:
  Link link_;
  SqlFailure failure_ = SqlFailure::none;
  std::string code_;
};

}  // namespace

Result<std::unique_ptr<SqlLink>> open_mariadb_link(const std::string& url,
                                                   const std::string& room) {
  auto options = mariadb_options_of(url);
  if (!options) return std::move(options).error();
  if (!room.empty()) options->database = room;
  auto link = connect(*options);
  if (!link) return std::move(link).error();
  return std::unique_ptr<SqlLink>(std::make_unique<MariadbLink>(std::move(*link)));
}

}  // namespace mizan::prover

#else

namespace mizan::prover {

Result<std::unique_ptr<SqlLink>> open_mariadb_link(const std::string&, const std::string&) {
  return invalid_request("mizan prove", "this build has no MariaDB store");
}

}  // namespace mizan::prover

#endif
