#pragma once

#include "mizan/result.hpp"

#include "prover/servers/engine.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// Why a statement failed, as far as it matters to those who share a database.
enum class SqlFailure : std::uint8_t {
  none,
  deadlock,       ///< This transaction was the victim.
  lock_timeout,   ///< A lock was not free in time.
  serialization,  ///< Somebody else changed what this transaction had read.
  other,
};

[[nodiscard]] std::string_view to_string(SqlFailure failure) noexcept;

struct SqlAnswer {
  std::vector<std::vector<std::string>> rows;  ///< Null is an empty text.
  std::uint64_t affected = 0;
  std::string said;  ///< What the server calls what it did, such as "COMMIT"; may be empty.
};

/// One session with a server, apart from any store: statements are sent as they are, a transaction
/// begins and ends by statements. Statements are constants and names of the prover's own. One
/// thread at a time.
class SqlLink {
 public:
  /// `url` is that of a store; `room` a schema (PostgreSQL) or database (MariaDB) to work in, or
  /// empty. Blocks: up to 10 s.
  [[nodiscard]] static Result<std::unique_ptr<SqlLink>> open(const std::string& url,
                                                             const std::string& room = {});

  SqlLink() = default;
  SqlLink(const SqlLink&) = delete;
  SqlLink& operator=(const SqlLink&) = delete;
  virtual ~SqlLink() = default;

  [[nodiscard]] virtual Engine engine() const noexcept = 0;

  /// Runs one statement; an error says what the server said.
  virtual Result<SqlAnswer> run(const std::string& statement) = 0;

  /// Is the session still there?
  [[nodiscard]] bool is_alive() { return run("SELECT 1").has_value(); }

  /// How long a session waits for a lock before it looks whether it is part of a deadlock: the one
  /// that looks last is the victim on PostgreSQL. MariaDB looks at once, and ends the lighter one.
  [[nodiscard]] std::chrono::milliseconds deadlock_check_after();

  /// Does a session wait for a lock on tables of this room?
  [[nodiscard]] bool sees_lock_wait(const std::string& room);

  /// Of the last statement.
  [[nodiscard]] virtual SqlFailure failure() const noexcept = 0;

  /// The server's own code of it, such as "40P01" or "1213"; empty where it went well.
  [[nodiscard]] virtual std::string failure_code() const = 0;

  /// The number by which the server knows this session.
  [[nodiscard]] virtual std::uint64_t session() const noexcept = 0;

  /// A name as it stands in a statement.
  [[nodiscard]] virtual std::string quoted(std::string_view name) const = 0;
};

// One per engine; `invalid_request` where this build does not speak to it.
[[nodiscard]] Result<std::unique_ptr<SqlLink>> open_postgres_link(const std::string& url,
                                                                  const std::string& room);
[[nodiscard]] Result<std::unique_ptr<SqlLink>> open_mariadb_link(const std::string& url,
                                                                 const std::string& room);

}  // namespace mizan::prover
