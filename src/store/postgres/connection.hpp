#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "store/postgres/error_map.hpp"
#include "store/postgres/values.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct pg_conn;

namespace mizan::postgres {

/// What a connection is made with.
struct ConnectionSettings {
  std::string url;       ///< As libpq reads it.
  std::string password;  ///< Empty: libpq's own ways (URL, PGPASSWORD, PGPASSFILE).
  std::string schema = "mizan";
  bool prepares = true;  ///< Statements are prepared once; off where a pooler forbids it.
};

/// What stands at the other end.
struct Peer {
  std::int64_t version = 0;  ///< Such as 150004.
  std::string version_text;
  std::string encoding;
  bool is_pooled = false;
};

/// One session. Statements are queued by `send` and go out together with `run`: one round trip.
/// Nothing is ever sent twice: once the link is lost, only destruction is left. One thread at a
/// time.
class Connection {
 public:
  static constexpr const char* pool_name = "postgres: connection";

  /// Blocks until the server has answered, at most until the deadline.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionSettings& settings,
                                                                const Clock& clock,
                                                                Deadline deadline);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Queues one of our own statements (a constant of postgres_sql).
  void send(std::string_view statement, const Parameters& parameters = {});

  /// Queues a statement of the user's.
  void send_user(const std::string& text, const Parameters& parameters);

  /// Sends what is queued and waits for the answers, one for each statement. An error is that of
  /// the first statement that failed; those after it were not run.
  [[nodiscard]] Result<std::vector<Answer>> run(Deadline deadline);

  /// `send` and `run` of one statement.
  [[nodiscard]] Result<Answer> ask(std::string_view statement,
                                   const Parameters& parameters,
                                   Deadline deadline);

  /// COMMIT of an open transaction, after what is queued, whose answers it returns: one round trip.
  /// Where a statement fails there is no COMMIT, and the transaction can only be rolled back.
  [[nodiscard]] Result<std::vector<Answer>> commit(Deadline deadline);

  /// Runs a script of many statements, for migrations.
  [[nodiscard]] Status run_script(std::string_view script, std::string_view name);

  /// What the last failed `run` met.
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

  [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

  /// Asks the socket, without waiting: has the server hung up since?
  [[nodiscard]] bool is_alive();

  [[nodiscard]] bool in_transaction() const noexcept;

  [[nodiscard]] const Peer& peer() const noexcept { return peer_; }

  [[nodiscard]] const std::string& schema() const noexcept { return settings_.schema; }

 private:
  struct Known {
    std::string name;  ///< Of the file; for messages, and as the prepared statement's name.
    std::string text;
    bool is_prepared = false;
  };

  struct Pending {
    Known* known = nullptr;  ///< Null: a statement of the user's.
    bool prepares = false;   ///< Two results are due: of the preparation and of the statement.
  };

  Connection(const ConnectionSettings& settings, const Clock& clock) noexcept
      : settings_(settings), clock_(clock) {}

  [[nodiscard]] Status connect(Deadline deadline);
  [[nodiscard]] Status greet(Deadline deadline);
  [[nodiscard]] Known& known(std::string_view statement);
  [[nodiscard]] bool dispatch(const Pending& pending,
                              const std::string& text,
                              const Parameters& parameters);

  /// The next result of the pipeline; null between two statements, or where the link was lost.
  [[nodiscard]] pg_result* next_result(Deadline deadline);
  [[nodiscard]] bool wait_for_server(bool for_writing, Deadline deadline);
  [[nodiscard]] Status check_commit(const Answer& commit) const;
  [[nodiscard]] std::optional<Answer> receive(const Pending& pending, Deadline deadline);
  void note_failure(pg_result* result, const Pending& pending);
  void lose(std::string_view message);
  void forget_told_failure();
  [[nodiscard]] std::string without_secrets(std::string_view text) const;
  static void on_notice(void* self, const pg_result* notice);

  ConnectionSettings settings_;
  const Clock& clock_;
  pg_conn* handle_ = nullptr;
  Peer peer_;
  std::unordered_map<std::string_view, Known> known_;  // By text, not place: a text may be twice.
  std::deque<Pending> queue_;
  Failure failure_;
  std::string where_;         // The statement that failed.
  std::size_t answered_ = 0;  // How many of the last run's statements.
  std::string warning_;
  bool has_failed_ = false;
  bool is_lost_ = false;
};

}  // namespace mizan::postgres
