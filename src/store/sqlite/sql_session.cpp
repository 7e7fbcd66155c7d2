#include "store/sqlite/sql_session.hpp"

#include "base/match.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/error_map.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::sqlite {
namespace {

/// What the ledger's schema is made of, and what could write pages behind its back. A unit test
/// compares the names with the migrations.
constexpr std::array<std::string_view, 20> own_names = {
    "admissions",    "balances",    "batch_journal", "currencies", "documents", "entries",
    "fences",        "hold_states", "holds",         "holds_due",  "journal",   "journal_operation",
    "keys",          "leases",      "lock_epoch",    "operations", "reversals", "schema_migrations",
    "sqlite_dbpage", "wallets"};

bool equals_ignoring_case(std::string_view a, const char* b) {
  return sqlite3_strnicmp(a.data(), b, static_cast<int>(a.size())) == 0 && b[a.size()] == '\0';
}

bool is_own(const char* name) {
  if (name == nullptr) return false;
  return std::any_of(own_names.begin(), own_names.end(), [name](std::string_view own) {
    return equals_ignoring_case(own, name);
  });
}

/// SQLite asks before it compiles each action of a user's statement. The two names depend on the
/// action; none of ours is a name that the user may mention in any place.
// NOLINTNEXTLINE(readability-function-size): the signature is SQLite's.
int authorize(void* /*unused*/,
              int action,
              const char* first,
              const char* second,
              const char* /*database*/,
              const char* /*trigger*/) {
  switch (action) {
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_PRAGMA:
      return SQLITE_DENY;
    case SQLITE_FUNCTION:
      return SQLITE_OK;
    case SQLITE_ALTER_TABLE:
      // A new name is not told; among the temporary tables it could be one of ours and hide it.
      return equals_ignoring_case("temp", first) || is_own(second) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_READ:
    case SQLITE_UPDATE:
      return is_own(first) ? SQLITE_DENY : SQLITE_OK;  // The second name is a column.
    default:
      return is_own(first) || is_own(second) ? SQLITE_DENY : SQLITE_OK;
  }
}

/// Our own statements are prepared and run without being asked about.
class Authorizer {
 public:
  explicit Authorizer(Connection& connection) noexcept : connection_(connection) {
    sqlite3_set_authorizer(connection_.handle(), authorize, nullptr);
  }

  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

  ~Authorizer() { sqlite3_set_authorizer(connection_.handle(), nullptr, nullptr); }

 private:
  Connection& connection_;
};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

using UserStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

Error refused(std::string detail) {
  return invalid_request("sqlite: guarded statement", std::move(detail));
}

Error user_error(Connection& connection) {
  return map_user_error(sqlite3_extended_errcode(connection.handle()), connection.message());
}

/// True where nothing but white space, semicolons and comments follows.
bool is_only_space(Connection& connection, const char* text, const char* end) {
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v2(connection.handle(), text, static_cast<int>(end - text), &handle, nullptr);
  const UserStatement further(handle);
  return code == SQLITE_OK && handle == nullptr;
}

Result<UserStatement> prepare(Connection& connection, std::string_view text) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return refused("the statement is too long");
  }
  sqlite3_stmt* handle = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(
      connection.handle(), text.data(), static_cast<int>(text.size()), &handle, &tail);
  UserStatement statement(handle);
  if (code != SQLITE_OK) return user_error(connection);
  if (!statement) return refused("the statement is empty");
  if (!is_only_space(connection, tail, text.data() + text.size())) {
    return refused("more than one statement; give them one by one");
  }
  return statement;
}

int bind_value(sqlite3_stmt* statement, int parameter, const SqlValue& value) {
  return std::visit(
      Match{[&](std::monostate) { return sqlite3_bind_null(statement, parameter); },
            [&](std::int64_t number) { return sqlite3_bind_int64(statement, parameter, number); },
            [&](double number) { return sqlite3_bind_double(statement, parameter, number); },
            [&](const std::string& text) {
              return sqlite3_bind_text64(
                  statement, parameter, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
            }},
      value);
}

SqlValue read_value(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return std::monostate();
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    default: {
      const void* data = sqlite3_column_blob(statement, column);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
    }
  }
}

SqlRow read_row(sqlite3_stmt* statement) {
  SqlRow row;
  const int count = sqlite3_column_count(statement);
  row.reserve(static_cast<std::size_t>(count));
  for (int column = 0; column < count; ++column) row.push_back(read_value(statement, column));
  return row;
}

}  // namespace

Result<std::vector<SqlRow>> UserSession::run(std::string_view text,
                                             std::span<const SqlValue> parameters) {
  // OR ROLLBACK and RAISE(ROLLBACK) end the transaction under our feet; what came after them would
  // be committed at once.
  if (!connection_.in_transaction()) {
    return refused("a statement before this one has rolled the transaction back");
  }
  const Authorizer authorizer(connection_);
  auto prepared = prepare(connection_, text);
  if (!prepared) return prepared.error();
  sqlite3_stmt* statement = prepared->get();
  if (static_cast<std::size_t>(sqlite3_bind_parameter_count(statement)) != parameters.size()) {
    return refused("the statement has " + std::to_string(sqlite3_bind_parameter_count(statement)) +
                   " parameters, " + std::to_string(parameters.size()) + " were given");
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const int code = bind_value(statement, static_cast<int>(i) + 1, parameters[i]);
    if (code != SQLITE_OK) return user_error(connection_);
  }
  std::vector<SqlRow> rows;
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) rows.push_back(read_row(statement));
  if (code != SQLITE_DONE) return user_error(connection_);
  return rows;
}

Result<std::int64_t> UserSession::execute(std::string_view statement,
                                          std::span<const SqlValue> parameters) {
  const std::int64_t before = sqlite3_total_changes64(connection_.handle());
  auto rows = run(statement, parameters);
  if (!rows) return rows.error();
  // A statement that changes nothing leaves the count of the one before it in place.
  const bool changed = sqlite3_total_changes64(connection_.handle()) != before;
  return changed ? connection_.changes() : std::int64_t{0};
}

Result<std::vector<SqlRow>> UserSession::query(std::string_view statement,
                                               std::span<const SqlValue> parameters) {
  return run(statement, parameters);
}

}  // namespace mizan::sqlite
