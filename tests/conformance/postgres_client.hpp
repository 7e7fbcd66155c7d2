#pragma once

#include "testkit/child_process.hpp"

#include <string>
#include <string_view>

namespace mizan::conformance {

/// A plain SQL client: a psql, and with it a connection, of its own. One thread at a time.
class PostgresClient {
 public:
  PostgresClient();

  /// Runs a statement. Answers its single value (nothing for a statement without rows, or for
  /// NULL), or `error` and the SQLSTATE.
  std::string ask(std::string_view statement);

  /// The two halves of `ask`, for a statement that is going to wait.
  void send(std::string_view statement);
  std::string answer();

  /// Is the server making this client wait for somebody else's transaction? Ask it of another one.
  [[nodiscard]] bool is_waiting(const PostgresClient& other);

 private:
  testkit::ChildProcess psql_;
  std::string backend_;
};

}  // namespace mizan::conformance
