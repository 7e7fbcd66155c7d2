#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace mizan::sqlite {

class Connection;

/// One execution of a prepared statement; gives it back at its end. A failure to prepare or bind
/// is kept and reported by the first `step`. Texts and blobs that are bound or read are borrowed:
/// bound ones must live until the execution ends, read ones until the next `step`.
class Statement {
 public:
  using Column = int;

  Statement(Connection& connection, sqlite3_stmt* handle, std::string_view name, int failure);
  Statement(Statement&&) = delete;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::span<const std::byte> blob);
  Statement& bind_null(int parameter);
  Statement& bind(int parameter, const std::optional<std::int64_t>& value);

  /// An empty text is stored as NULL.
  Statement& bind_text_or_null(int parameter, std::string_view text);

  /// True where there is a row.
  [[nodiscard]] Result<bool> step();

  /// Steps to the end and ignores rows.
  [[nodiscard]] Status run();

  /// As `run`, but answers the extended result code: for callers that expect a violation.
  [[nodiscard]] int run_code();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const;
  [[nodiscard]] bool is_null(int column) const;

  [[nodiscard]] bool flag(int column) const { return integer(column) != 0; }

  [[nodiscard]] Timestamp time(int column) const;  ///< NULL reads as the epoch.
  [[nodiscard]] std::optional<Timestamp> optional_time(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::span<const std::byte> bytes(int column) const;
  [[nodiscard]] bool is_blob(int column) const;

  [[nodiscard]] Error error(int extended_code) const;

 private:
  void note(int code);

  Connection& connection_;
  sqlite3_stmt* handle_;
  std::string_view name_;
  int failure_;
};

enum class OpenMode : std::uint8_t { create, read_write, read_only };

/// One connection with its prepared statements. One thread at a time. Statements are prepared when
/// they are first used, so that a connection can be opened before the schema exists.
class Connection {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::filesystem::path& file,
                                                                OpenMode mode,
                                                                const char* file_layer);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// `sql` is one of the constants of sqlite_sql: the address of its text is the key under which it
  /// is kept prepared.
  [[nodiscard]] Statement statement(std::string_view sql);

  /// Runs each statement of a file of our own (settings, migrations). "{name}" is replaced by
  /// `number`.
  [[nodiscard]] Status run_script(std::string_view sql,
                                  std::string_view placeholder = {},
                                  std::uint64_t number = 0);

  /// Rows changed by the last statement.
  [[nodiscard]] std::int64_t changes() const noexcept;
  [[nodiscard]] std::int64_t last_rowid() const noexcept;
  [[nodiscard]] bool in_transaction() const noexcept;
  void set_busy_wait(std::chrono::milliseconds wait) noexcept;

  [[nodiscard]] sqlite3* handle() const noexcept { return handle_; }

  [[nodiscard]] std::string message() const;

 private:
  explicit Connection(sqlite3* handle) : handle_(handle) {}

  struct Prepared {
    sqlite3_stmt* handle = nullptr;
    std::string_view name;
  };

  sqlite3* handle_;
  std::unordered_map<const void*, Prepared> statements_;
};

/// The names of the statements that any connection of this process has prepared for use, for the
/// test that every one of them is exercised. Any thread may call it.
[[nodiscard]] std::vector<std::string_view> used_statements();

/// For text that is handed to SQLite other than by `Connection::statement`.
void note_use(std::string_view sql);

}  // namespace mizan::sqlite
