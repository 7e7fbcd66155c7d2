#include "store/mariadb/connection.hpp"

#include "base/text.hpp"
#include "store/mariadb/bindings.hpp"
#include "store/mariadb/mariadb_sql.hpp"

#include <errmsg.h>
#include <ma_pvio.h>
#include <mysql.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace mizan::mariadb {
namespace {

using std::chrono::milliseconds;

/// What is not said of a password: a shorter one is the text of other things too, and the hole in
/// their place would tell it. (Neither the library nor the server quotes one on purpose.)
constexpr std::size_t hidden_size_min = 8;

/// The server bounds every statement by itself; only a link that fell silent reaches this.
constexpr milliseconds silence_max{500};

/// By how much the server's bound of a statement may be too wide; less than `silence_max`, or links
/// would be given up whose server is still there.
constexpr milliseconds bound_slack{300};

/// Whatever has no deadline of its own.
constexpr milliseconds longest{600'000};

/// JSON_TABLE came with it.
constexpr std::uint32_t version_min = 100'600;

/// Rows of one statement go in packets of about this size.
constexpr std::size_t packet_size = std::size_t{1} << 20U;

/// Ways to prove who we are that give the password to nobody who only claims to be the server.
constexpr const char* safe_ways =
    "mysql_native_password,client_ed25519,caching_sha2_password,auth_gssapi_client,parsec";

std::string name_of(std::string_view statement) {
  for (const auto& [name, text] : mariadb_sql::all_statements) {
    if (text == statement) return std::string(name);
  }
  return "statement";
}

/// Our statements name tables that begin with `mizan_`; another prefix is put in its place. It was
/// checked when the options were. Comments stay behind, and so does the last semicolon.
std::string with_prefix(std::string_view text, const std::string& prefix) {
  constexpr std::string_view own = "mizan_";
  while (text.starts_with("--")) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  const std::size_t last = text.find_last_not_of(" \n;");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  std::string out;
  for (;;) {
    const std::size_t at = text.find(own);
    if (at == std::string_view::npos) return out += text;
    out += text.substr(0, at);
    out += prefix;
    text.remove_prefix(at + own.size());
  }
}

/// Puts the numbers where the question marks are.
std::string with_numbers(std::string_view text, std::span<const std::int64_t> numbers) {
  std::string out;
  for (const std::int64_t number : numbers) {
    const std::size_t at = std::min(text.find('?'), text.size());
    out += text.substr(0, at);
    out += std::to_string(number);
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return out += text;
}

/// Where the chunk that begins here ends.
std::size_t end_of_chunk(const Parameters& rows, std::size_t begin) {
  std::size_t size = 0;
  std::size_t end = begin;
  while (end < rows.rows() && size < packet_size) {
    for (const Parameters::Column& column : rows.columns()) size += 9 + column.cells[end].size;
    ++end;
  }
  return end;
}

}  // namespace

Connection::~Connection() {
  for (auto& [text, statement] : known_) {
    if (statement.prepared != nullptr) mysql_stmt_close(statement.prepared);
  }
  if (handle_ != nullptr) mysql_close(handle_);
}

Status Connection::set_options(Deadline deadline) {
  const milliseconds left = std::chrono::ceil<milliseconds>(
      std::clamp<std::chrono::nanoseconds>(deadline - clock_.now(), milliseconds(1), longest));
  // The library counts seconds here: the nearest, and one at least.
  const unsigned seconds =
      static_cast<unsigned>(std::max<milliseconds::rep>((left.count() + 500) / 1000, 1));
  const my_bool no = 0;
  const my_bool yes = 1;
  const unsigned int zero = 0;
  bool good = mysql_optionsv(handle_, MYSQL_OPT_CONNECT_TIMEOUT, &seconds) == 0;
  good = good && mysql_optionsv(handle_, MYSQL_OPT_READ_TIMEOUT, &seconds) == 0;
  good = good && mysql_optionsv(handle_, MYSQL_OPT_WRITE_TIMEOUT, &seconds) == 0;
  good = good && mysql_optionsv(handle_, MYSQL_OPT_RECONNECT, &no) == 0;
  good = good && mysql_optionsv(handle_, MYSQL_OPT_LOCAL_INFILE, &zero) == 0;
  good = good && mysql_optionsv(handle_, MYSQL_SET_CHARSET_NAME, "utf8mb4") == 0;
  good = good && mysql_optionsv(handle_, MARIADB_OPT_RESTRICTED_AUTH, safe_ways) == 0;
  if (settings_.tls != Tls::off) {
    const my_bool verifies = settings_.tls == Tls::verified ? yes : no;
    good = good && mysql_optionsv(handle_, MYSQL_OPT_SSL_ENFORCE, &yes) == 0;
    good = good && mysql_optionsv(handle_, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verifies) == 0;
    const std::pair<mysql_option, const std::string*> files[] = {
        {MYSQL_OPT_SSL_CA, &settings_.tls_ca},
        {MYSQL_OPT_SSL_CERT, &settings_.tls_certificate},
        {MYSQL_OPT_SSL_KEY, &settings_.tls_key}};
    for (const auto& [option, file] : files) {
      if (!file->empty()) good = good && mysql_optionsv(handle_, option, file->c_str()) == 0;
    }
  }
  if (good) return {};
  return internal_error("mariadb: connect", "the library does not know one of our options");
}

Status Connection::connect(Deadline deadline) {
  handle_ = mysql_init(nullptr);
  if (handle_ == nullptr) return unavailable("mariadb: connect", "out of memory");
  if (deadline <= clock_.now()) {
    return unavailable("mariadb: connect", "no time was left before the deadline");
  }
  if (Status set = set_options(deadline); !set) return set;
  const Address& address = settings_.route->address(node_);
  const bool by_socket = address.host.empty();
  const char* host = by_socket ? "localhost" : address.host.c_str();
  const char* socket = by_socket && !settings_.socket.empty() ? settings_.socket.c_str() : nullptr;
  const MYSQL* connected = mysql_real_connect(handle_,
                                              host,
                                              settings_.user.c_str(),
                                              settings_.password.c_str(),
                                              settings_.database.c_str(),
                                              by_socket ? 0 : address.port,
                                              socket,
                                              CLIENT_FOUND_ROWS);
  if (connected == nullptr) return fail_link("connect");
  // Where the server offers no encryption the library goes on without.
  if (settings_.tls != Tls::off && mysql_get_ssl_cipher(handle_) == nullptr) {
    return invalid_request("mariadb: connect",
                           "encryption was asked for (tls), and the server offers none");
  }
  keep_alive();
  return {};
}

/// A host that is gone is found out, also while nobody asks it anything.
void Connection::keep_alive() const {
  if (settings_.route->address(node_).host.empty()) return;
  const auto socket = static_cast<int>(mysql_get_socket(handle_));
  const int on = 1;
  const int timeout = 10'000;
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on));
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout));
}

Status Connection::greet(Deadline deadline) {
  peer_.version = static_cast<std::uint32_t>(mysql_get_server_version(handle_));
  peer_.version_text = mysql_get_server_info(handle_);
  if (mariadb_connection(handle_) == 0) {
    return invalid_request("mariadb: connect",
                           "the server says that it is MySQL " +
                               escape_for_log(peer_.version_text) +
                               ", which lacks sequences, for one; use MariaDB 10.6 or later, "
                               "PostgreSQL (postgres://…) or a file (sqlite:FILE)");
  }
  if (peer_.version < version_min) {
    return invalid_request("mariadb: connect",
                           "the server is MariaDB " + peer_.version_text +
                               "; 10.6 is the oldest that has what the ledger needs");
  }
  if (Status told = tell(mariadb_sql::configure_session, {}, deadline); !told) return told;
  if (settings_.reads) {
    if (Status told = tell(mariadb_sql::configure_reader, {}, deadline); !told) return told;
  }
  auto answer = ask(mariadb_sql::read_connection, {}, deadline);
  if (!answer) return answer.error();
  const Row row(*answer, 0);
  const std::string_view isolation = settings_.reads ? "REPEATABLE-READ" : "READ-COMMITTED";
  const bool obeys = row.text(2).find("STRICT_ALL_TABLES") != std::string_view::npos &&
                     row.text(3) == isolation && row.integer(4) == 0 && row.text(5) == "utf8mb4";
  if (!obeys) {
    return internal_error("mariadb: connect",
                          "the session is not as it was told to be; what stands in between?");
  }
  if (Status met = meet_node(row, deadline); !met) return met;
  // What was read belongs to no transaction.
  return tell(mariadb_sql::rollback, {}, deadline);
}

Connection::Known& Connection::known(std::string_view statement) {
  const auto [place, added] = known_.try_emplace(statement.data());
  if (added) {
    place->second = {name_of(statement), with_prefix(statement, settings_.prefix), nullptr};
  }
  return place->second;
}

void Connection::wait_until(Deadline deadline) {
  const Instant now = clock_.now();
  milliseconds wait = longest;
  if (deadline - now < longest) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - now) + silence_max;
    wait = std::max(left, milliseconds(1));
  }
  MARIADB_PVIO* link = handle_->net.pvio;
  if (link == nullptr) return;
  // The library's own clock may be a little ahead of ours.
  patience_ends_ = now + wait - milliseconds(100);
  // The library's own call for it counts seconds: what it sets are these, in milliseconds.
  link->timeout[PVIO_READ_TIMEOUT] = static_cast<int>(wait.count());
  link->timeout[PVIO_WRITE_TIMEOUT] = static_cast<int>(wait.count());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(wait);
  const timeval limit{seconds.count(), std::chrono::microseconds(wait - seconds).count()};
  const auto socket = static_cast<int>(mysql_get_socket(handle_));
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
}

Error Connection::fail(Failure failure, std::string_view where) {
  failure_ = std::move(failure);
  failure_.message = without_secrets(std::move(failure_.message));
  is_lost_ = is_lost_ || is_link_lost(failure_);
  if (is_away(failure_) || (is_lost_ && clock_.now() >= patience_ends_)) leave_node();
  Error error = map_error(failure_, where);
  // There is another node to ask.
  const bool has_others = settings_.route->size() > 1;
  if (has_others && is_lost_ && error.code == Code::unavailable) error.retry = Retry::now;
  return error;
}

Error Connection::fail_statement(st_mysql_stmt* statement, std::string_view where) {
  return fail(
      {mysql_stmt_errno(statement), mysql_stmt_sqlstate(statement), mysql_stmt_error(statement)},
      where);
}

Error Connection::fail_link(std::string_view where) {
  return fail({mysql_errno(handle_), mysql_sqlstate(handle_), mysql_error(handle_)}, where);
}

Status Connection::prepare(Known& statement, Deadline deadline) {
  if (is_lost_) return map_error(failure_, statement.name);
  wait_until(deadline);
  if (statement.prepared != nullptr) return {};
  MYSQL_STMT* made = mysql_stmt_init(handle_);
  if (made == nullptr) return fail_link(statement.name);
  const my_bool yes = 1;
  mysql_stmt_attr_set(made, STMT_ATTR_UPDATE_MAX_LENGTH, &yes);
  if (mysql_stmt_prepare(made, statement.text.data(), statement.text.size()) != 0) {
    Error error = fail_statement(made, statement.name);
    mysql_stmt_close(made);
    return error;
  }
  statement.prepared = made;
  return {};
}

Result<Answer> Connection::execute(st_mysql_stmt* statement,
                                   const std::string& name,
                                   Deadline deadline) {
  wait_until(deadline);
  if (mysql_stmt_execute(statement) != 0) return fail_statement(statement, name);
  return read_answer(statement, name);
}

Result<Answer> Connection::read_answer(st_mysql_stmt* statement, const std::string& name) {
  if (mysql_stmt_field_count(statement) == 0) {
    return Answer({}, static_cast<std::int64_t>(mysql_stmt_affected_rows(statement)));
  }
  if (mysql_stmt_store_result(statement) != 0) return fail_statement(statement, name);
  MYSQL_RES* columns = mysql_stmt_result_metadata(statement);
  Answer answer(kinds_of(columns), 0);
  mysql_free_result(columns);
  const bool is_read = read_rows(statement, answer);
  if (!is_read) {
    Error error = fail_statement(statement, name);
    mysql_stmt_free_result(statement);
    return error;
  }
  mysql_stmt_free_result(statement);
  return answer;
}

Result<Answer> Connection::ask(std::string_view statement,
                               const Parameters& parameters,
                               Deadline deadline) {
  if (!is_lost_) failure_ = {};
  Known& ours = known(statement);
  if (Status prepared = prepare(ours, deadline); !prepared) return prepared.error();
  if (mysql_stmt_param_count(ours.prepared) != parameters.columns().size()) {
    return internal_error("mariadb: " + ours.name, "it has another number of parameters");
  }
  ParameterBindings bindings(parameters, 0, parameters.rows());
  const bool bound =
      parameters.columns().empty() || mysql_stmt_bind_param(ours.prepared, bindings.of_one()) == 0;
  if (!bound) return fail_statement(ours.prepared, ours.name);
  return execute(ours.prepared, ours.name, deadline);
}

Result<std::int64_t> Connection::execute_chunk(Known& statement,
                                               const Parameters& rows,
                                               std::size_t begin,
                                               std::size_t end) {
  ParameterBindings bindings(rows, begin, end);
  const unsigned int count = static_cast<unsigned int>(end - begin);
  const bool bound = mysql_stmt_attr_set(statement.prepared, STMT_ATTR_ARRAY_SIZE, &count) == 0 &&
                     mysql_stmt_bind_param(statement.prepared, bindings.of_rows()) == 0;
  if (!bound || mysql_stmt_execute(statement.prepared) != 0) {
    return fail_statement(statement.prepared, statement.name);
  }
  return static_cast<std::int64_t>(mysql_stmt_affected_rows(statement.prepared));
}

Result<Answer> Connection::ask_for_rows(std::string_view statement,
                                        const Parameters& rows,
                                        Deadline deadline) {
  if (!is_lost_) failure_ = {};
  Known& ours = known(statement);
  if (Status prepared = prepare(ours, deadline); !prepared) return prepared.error();
  std::int64_t affected = 0;
  for (std::size_t begin = 0; begin < rows.rows();) {
    const std::size_t end = end_of_chunk(rows, begin);
    wait_until(deadline);
    auto chunk = execute_chunk(ours, rows, begin, end);
    if (!chunk) return chunk.error();
    affected += *chunk;
    begin = end;
  }
  return Answer({}, affected);
}

Status Connection::query(std::string_view text, std::string_view name, Deadline deadline) {
  if (is_lost_) return map_error(failure_, name);
  wait_until(deadline);
  if (mysql_real_query(handle_, text.data(), text.size()) != 0) return fail_link(name);
  for (;;) {
    if (MYSQL_RES* result = mysql_store_result(handle_); result != nullptr) {
      mysql_free_result(result);
    } else if (mysql_errno(handle_) != 0) {
      return fail_link(name);
    }
    const int next = mysql_next_result(handle_);
    if (next < 0) return {};
    if (next > 0) return fail_link(name);
  }
}

Status Connection::tell(std::string_view statement,
                        std::span<const std::int64_t> numbers,
                        Deadline deadline) {
  const Known& ours = known(statement);
  return query(with_numbers(ours.text, numbers), ours.name, deadline);
}

Result<Answer> Connection::ask_user(const std::string& text,
                                    const Parameters& parameters,
                                    Deadline deadline) {
  if (!is_lost_) failure_ = {};
  Known theirs{"guarded statement", text, nullptr};
  if (Status prepared = prepare(theirs, deadline); !prepared) return prepared.error();
  Result<Answer> answer = [&]() -> Result<Answer> {
    if (mysql_stmt_param_count(theirs.prepared) != parameters.columns().size()) {
      failure_ = {2031, "HY000", "it has another number of parameters"};
      return map_error(failure_, theirs.name);
    }
    ParameterBindings bindings(parameters, 0, parameters.rows());
    const bool bound = parameters.columns().empty() ||
                       mysql_stmt_bind_param(theirs.prepared, bindings.of_one()) == 0;
    if (!bound) return fail_statement(theirs.prepared, theirs.name);
    return execute(theirs.prepared, theirs.name, deadline);
  }();
  mysql_stmt_close(theirs.prepared);
  return answer;
}

Status Connection::commit(Deadline deadline) {
  if (is_lost_) return map_error(failure_, "commit");  // It was never sent.
  if (!in_transaction()) {
    return internal_error("mariadb: commit", "the server ended the transaction by itself");
  }
  const std::string_view statement = peer_.is_node ? mariadb_sql::commit_node : mariadb_sql::commit;
  if (Status committed = tell(statement, {}, deadline); committed) return committed;
  return map_commit_error(failure_);
}

Status Connection::run_script(std::string_view script, std::string_view name, Deadline deadline) {
  if (is_lost_) return map_error(failure_, name);
  if (mysql_set_server_option(handle_, MYSQL_OPTION_MULTI_STATEMENTS_ON) != 0) {
    return fail_link(name);
  }
  Status ran = query(with_prefix(script, settings_.prefix), name, deadline);
  if (is_lost_) return ran;
  if (mysql_set_server_option(handle_, MYSQL_OPTION_MULTI_STATEMENTS_OFF) != 0) {
    return fail_link(name);
  }
  return ran;
}

Status Connection::bound_statements(milliseconds left, Deadline deadline) {
  // A bound that is a little too wide is as good, and costs no round trip.
  if (bound_ >= left && bound_ <= left + std::min(left / 4, bound_slack)) return {};
  bound_ = left + std::min(left / 8, bound_slack / 2);
  const std::int64_t seconds = (bound_.count() + 999) / 1000;
  const std::int64_t numbers[] = {bound_.count(), seconds, seconds + 5};
  return tell(mariadb_sql::set_limits, numbers, deadline);
}

bool Connection::is_alive() const {
  if (is_lost_ || settings_.route->current() != node_) return false;
  pollfd ready{static_cast<int>(mysql_get_socket(handle_)), POLLIN, 0};
  // An idle connection has nothing to say but good-bye.
  return ::poll(&ready, 1, 0) == 0;
}

bool Connection::in_transaction() const {
  unsigned int status = 0;
  mariadb_get_infov(handle_, MARIADB_CONNECTION_SERVER_STATUS, &status);
  return (status & SERVER_STATUS_IN_TRANS) != 0;
}

std::string Connection::without_secrets(std::string text) const {
  const std::string& secret = settings_.password;
  if (secret.size() < hidden_size_min) return text;
  for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += 3) {
    text.replace(at, secret.size(), "***");
  }
  return text;
}

}  // namespace mizan::mariadb
