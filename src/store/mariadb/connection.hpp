#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "store/mariadb/error_map.hpp"
#include "store/mariadb/route.hpp"
#include "store/mariadb/values.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

struct st_mysql;
struct st_mysql_stmt;

namespace mizan::mariadb {

/// How far the link is encrypted and the server's certificate looked at.
enum class Tls : std::uint8_t {
  off,
  required,  ///< Encrypted; anybody may be at the other end.
  verified,  ///< And the certificate is a known authority's, and of this host.
};

/// What a connection is made with.
struct ConnectionSettings {
  std::shared_ptr<Route> route;  ///< Where to; of all connections of a store.
  std::string socket;            ///< Empty with an empty host: the library's own.
  std::string user;
  std::string password;
  std::string database;
  std::string prefix = "mizan_";
  Tls tls = Tls::off;
  std::string tls_ca;
  std::string tls_certificate;
  std::string tls_key;
  bool reads = false;  ///< Its transactions see one moment.

  /// Looks at the server and no more: also at a node that is not in its cluster's majority, which
  /// answers as it last knew.
  bool observes = false;
};

/// What stands at the other end.
struct Peer {
  std::uint32_t version = 0;  ///< Such as 101119.
  std::string version_text;
  bool is_node = false;  ///< Of a Galera cluster.
};

/// A statement with its parameters, which must outlive it.
struct Question {
  std::string_view statement;  ///< One of our own.
  const Parameters& parameters;
  bool is_for_rows = false;  ///< For every row of the parameters.
};

/// What several statements answered, in order, up to the first that failed.
struct Answers {
  std::vector<Answer> all;
  std::optional<Error> error;
  Failure failure;  ///< What the error comes from.
};

/// One session. Nothing is ever sent twice: once the link is lost, only destruction is left, and
/// the library never makes a new one by itself. One thread at a time.
class Connection {
 public:
  static constexpr const char* pool_name = "mariadb: connection";

  /// Blocks until the server has answered, at most until the deadline. Asks the nodes of a cluster
  /// one after the other, beginning with the one that the others ask.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionSettings& settings,
                                                                const Clock& clock,
                                                                Deadline deadline);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Runs one of our own statements (a constant of mariadb_sql), prepared.
  [[nodiscard]] Result<Answer> ask(std::string_view statement,
                                   const Parameters& parameters,
                                   Deadline deadline);

  /// Runs one for every row of the parameters, in few round trips; the answer has the sum of what
  /// was affected.
  [[nodiscard]] Result<Answer> ask_for_rows(std::string_view statement,
                                            const Parameters& rows,
                                            Deadline deadline);

  /// Runs statements one after the other, with `begin` (as for `tell`, unless empty) before them.
  /// Small ones are sent at once and cost one round trip; then they are all run, also those behind
  /// one that failed. Otherwise nothing is sent behind it.
  [[nodiscard]] Answers ask_all(std::string_view begin,
                                std::span<const Question> questions,
                                Deadline deadline);

  /// Runs a statement of ours that cannot be prepared or needs no parameters; its `?` become these
  /// numbers.
  [[nodiscard]] Status tell(std::string_view statement,
                            std::span<const std::int64_t> numbers,
                            Deadline deadline);

  /// Runs a statement of the user's.
  [[nodiscard]] Result<Answer> ask_user(const std::string& text,
                                        const Parameters& parameters,
                                        Deadline deadline);

  /// Begins a transaction, on a cluster when everything committed on any node is here.
  [[nodiscard]] Status begin(std::string_view statement, Deadline deadline);

  /// COMMIT of an open transaction.
  [[nodiscard]] Status commit(Deadline deadline);

  /// Runs a script of many statements, for migrations.
  [[nodiscard]] Status run_script(std::string_view script,
                                  std::string_view name,
                                  Deadline deadline);

  /// Bounds the statements that follow by the time that is left, where that is not what they are
  /// bounded by already.
  [[nodiscard]] Status bound_statements(std::chrono::milliseconds left, Deadline deadline);

  /// What the last failed call met.
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

  [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

  /// Asks the socket, without waiting: has the server hung up since? One to a node that was left is
  /// not used any more either.
  [[nodiscard]] bool is_alive() const;

  /// As the server said in its last answer.
  [[nodiscard]] bool in_transaction() const;

  [[nodiscard]] const Peer& peer() const noexcept { return peer_; }

  [[nodiscard]] const std::string& prefix() const noexcept { return settings_.prefix; }

 private:
  struct Known {
    std::string name;  ///< Of the file; for messages.
    std::string text;
    st_mysql_stmt* prepared = nullptr;
  };

  Connection(const ConnectionSettings& settings, const Clock& clock) noexcept
      : settings_(settings), clock_(clock), node_(settings.route->current()) {}

  [[nodiscard]] static Result<std::unique_ptr<Connection>> open_current(
      const ConnectionSettings& settings, const Clock& clock, Deadline deadline);

  [[nodiscard]] Status connect(Deadline deadline);
  [[nodiscard]] Status set_options(Deadline deadline);
  void keep_alive() const;
  [[nodiscard]] Status greet(Deadline deadline);

  /// Finds out whether the server is a node of a cluster, and which; tells it what that needs.
  [[nodiscard]] Status meet_node(const Row& row, Deadline deadline);
  [[nodiscard]] Error without_majority(std::string_view status) const;
  [[nodiscard]] Known& known(std::string_view statement);
  [[nodiscard]] Status prepare(Known& statement, Deadline deadline);
  [[nodiscard]] Result<Answer> execute(st_mysql_stmt* statement,
                                       const std::string& name,
                                       Deadline deadline);

  /// What an executed statement answers.
  [[nodiscard]] Result<Answer> read_answer(st_mysql_stmt* statement, const std::string& name);

  // pipeline.cpp
  [[nodiscard]] Answers ask_at_once(std::string_view begin,
                                    std::span<const Question> questions,
                                    Deadline deadline);
  [[nodiscard]] Answers ask_one_by_one(std::string_view begin,
                                       std::span<const Question> questions,
                                       Deadline deadline);
  [[nodiscard]] Status send_all(std::string_view begin, std::span<const Question> questions);
  [[nodiscard]] Status send(const Known& statement, const Question& question);
  [[nodiscard]] Answers receive_all(std::string_view begin,
                                    std::span<const Question> questions,
                                    Deadline deadline);
  [[nodiscard]] Status receive_begin(std::string_view begin);
  [[nodiscard]] Result<Answer> receive(const Known& statement);
  [[nodiscard]] Result<std::int64_t> execute_chunk(Known& statement,
                                                   const Parameters& rows,
                                                   std::size_t begin,
                                                   std::size_t end);
  [[nodiscard]] Status query(std::string_view text, std::string_view name, Deadline deadline);
  [[nodiscard]] Error fail(Failure failure, std::string_view where);
  [[nodiscard]] Error fail_statement(st_mysql_stmt* statement, std::string_view where);
  [[nodiscard]] Error fail_link(std::string_view where);
  void leave_node();

  /// The node did not get what was committed on others in time; no lock is waited for at that
  /// point.
  [[nodiscard]] Error out_of_step();

  /// The library waits for an answer until then, and a little longer.
  void wait_until(Deadline deadline);
  [[nodiscard]] std::string without_secrets(std::string text) const;

  ConnectionSettings settings_;
  const Clock& clock_;
  std::size_t node_;                        // Of the route.
  Instant patience_ends_ = Instant::max();  // Who said nothing until then has fallen silent.
  st_mysql* handle_ = nullptr;
  Peer peer_;
  std::unordered_map<const char*, Known> known_;
  Failure failure_;
  std::chrono::milliseconds bound_{0};
  bool is_lost_ = false;
};

}  // namespace mizan::mariadb
