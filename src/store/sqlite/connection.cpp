#include "store/sqlite/connection.hpp"

#include "store/sqlite/database_file.hpp"
#include "store/sqlite/error_map.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace mizan::sqlite {
namespace {

std::array<std::atomic<bool>, sqlite_sql::all_statements.size()>& used() {
  static std::array<std::atomic<bool>, sqlite_sql::all_statements.size()> flags{};
  return flags;
}

std::size_t index_of(std::string_view sql) {
  const auto found = std::find_if(sqlite_sql::all_statements.begin(),
                                  sqlite_sql::all_statements.end(),
                                  [sql](const sqlite_sql::Row& row) { return row.second == sql; });
  return static_cast<std::size_t>(found - sqlite_sql::all_statements.begin());
}

std::string_view name_of(std::string_view sql) {
  const std::size_t index = index_of(sql);
  return index < used().size() ? sqlite_sql::all_statements[index].first : "statement";
}

int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case OpenMode::read_write:
      return SQLITE_OPEN_READWRITE;
    case OpenMode::read_only:
      return SQLITE_OPEN_READONLY;
  }
  return SQLITE_OPEN_READONLY;
}

std::string_view or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

}  // namespace

Statement::Statement(Connection& connection,
                     sqlite3_stmt* handle,
                     std::string_view name,
                     int failure)
    : connection_(connection), handle_(handle), name_(name), failure_(failure) {}

Statement::~Statement() {
  if (handle_ != nullptr) sqlite3_reset(handle_);
}

void Statement::note(int code) {
  if (code != SQLITE_OK && failure_ == SQLITE_OK) failure_ = code;
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  note(sqlite3_bind_int64(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL, and an empty view may have one.
  const char* data = text.data() == nullptr ? "" : text.data();
  note(sqlite3_bind_text64(handle_, parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob) {
  note(sqlite3_bind_blob64(handle_, parameter, blob.data(), blob.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  note(sqlite3_bind_null(handle_, parameter));
  return *this;
}

Statement& Statement::bind(int parameter, const std::optional<std::int64_t>& value) {
  return value ? bind(parameter, *value) : bind_null(parameter);
}

Statement& Statement::bind_text_or_null(int parameter, std::string_view text) {
  return text.empty() ? bind_null(parameter) : bind(parameter, text);
}

Result<bool> Statement::step() {
  if (failure_ != SQLITE_OK) return error(failure_);
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  failure_ = sqlite3_extended_errcode(connection_.handle());
  return error(failure_);
}

Status Statement::run() {
  const int code = run_code();
  if (code != SQLITE_OK) return error(code);
  return {};
}

int Statement::run_code() {
  if (failure_ != SQLITE_OK) return failure_;
  int code = sqlite3_step(handle_);
  while (code == SQLITE_ROW) code = sqlite3_step(handle_);
  if (code == SQLITE_DONE) return SQLITE_OK;
  failure_ = sqlite3_extended_errcode(connection_.handle());
  return failure_;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::optional<std::int64_t> Statement::optional_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool Statement::is_blob(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_BLOB;
}

Timestamp Statement::time(int column) const {
  return Timestamp(std::chrono::microseconds(integer(column)));
}

std::optional<Timestamp> Statement::optional_time(int column) const {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

std::string_view Statement::text(int column) const {
  const void* data = sqlite3_column_text(handle_, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::span<const std::byte> Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  if (data == nullptr) return {};
  return {static_cast<const std::byte*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Error Statement::error(int extended_code) const {
  return map_error(extended_code, name_, connection_.message());
}

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& file,
                                                     OpenMode mode,
                                                     const char* file_layer) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(file.c_str(), &handle, flags_of(mode) | SQLITE_OPEN_NOMUTEX, file_layer);
  std::unique_ptr<Connection> connection(new Connection(handle));
  if (handle == nullptr) return map_error(SQLITE_NOMEM, "open", "out of memory");
  sqlite3_extended_result_codes(handle, 1);
  if (code != SQLITE_OK) {
    // Only the system's number tells a wrong path from, say, too many open files.
    const int reason = sqlite3_system_errno(handle);
    if (code == SQLITE_CANTOPEN && reason != 0) return open_failure(file, reason);
    return map_error(
        sqlite3_extended_errcode(handle), "open " + file.string(), connection->message());
  }
  // No statement, a guarded user's neither, may corrupt the file on purpose.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (mode == OpenMode::read_only) {
    // Only the writing connection ever copies the WAL back.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
  return connection;
}

Connection::~Connection() {
  for (auto& [text, prepared] : statements_) sqlite3_finalize(prepared.handle);
  sqlite3_close_v2(handle_);
}

Statement Connection::statement(std::string_view sql) {
  Prepared& prepared = statements_[sql.data()];
  if (prepared.handle == nullptr) {
    prepared.name = name_of(sql);
    const int code = sqlite3_prepare_v3(handle_,
                                        sql.data(),
                                        static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT,
                                        &prepared.handle,
                                        nullptr);
    if (code != SQLITE_OK) return Statement(*this, nullptr, prepared.name, code);
    note_use(sql);
  }
  return Statement(*this, prepared.handle, prepared.name, SQLITE_OK);
}

Status Connection::run_script(std::string_view sql,
                              std::string_view placeholder,
                              std::uint64_t number) {
  std::string text(sql);
  if (!placeholder.empty()) {
    const std::size_t at = text.rfind(placeholder);
    if (at != std::string::npos) text.replace(at, placeholder.size(), std::to_string(number));
  }
  if (sqlite3_exec(handle_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return map_error(sqlite3_extended_errcode(handle_), name_of(sql), message());
  }
  note_use(sql);
  return {};
}

std::int64_t Connection::changes() const noexcept {
  return sqlite3_changes64(handle_);
}

std::int64_t Connection::last_rowid() const noexcept {
  return sqlite3_last_insert_rowid(handle_);
}

bool Connection::in_transaction() const noexcept {
  return sqlite3_get_autocommit(handle_) == 0;
}

void Connection::set_busy_wait(std::chrono::milliseconds wait) noexcept {
  sqlite3_busy_timeout(handle_, static_cast<int>(wait.count()));
}

std::string Connection::message() const {
  return std::string(or_empty(sqlite3_errmsg(handle_)));
}

std::vector<std::string_view> used_statements() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < used().size(); ++i) {
    if (used()[i].load()) names.push_back(sqlite_sql::all_statements[i].first);
  }
  return names;
}

void note_use(std::string_view sql) {
  const std::size_t index = index_of(sql);
  if (index < used().size()) used()[index].store(true);
}

}  // namespace mizan::sqlite
