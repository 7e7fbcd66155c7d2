#pragma once

#include "testkit/child_process.hpp"

#include <string>
#include <string_view>

namespace mizan::conformance {

/// A plain SQL client: a `mariadb`, and with it a connection, of its own. One thread at a time.
class MariadbClient {
 public:
  /// At the server that the process's tests share.
  explicit MariadbClient(std::string_view user = "mizan");

  /// At whatever a store's URL names, as the user that it names.
  [[nodiscard]] static MariadbClient at(const std::string& url);

  /// Runs statements. Answers what they print, or `error` and the SQLSTATE of the first that
  /// failed.
  std::string ask(std::string_view statements);

  /// The two halves of `ask`, for a statement that is going to wait.
  void send(std::string_view statements);
  std::string answer();

  /// Is the server making this client wait for somebody else's row? Ask it of a root.
  [[nodiscard]] bool is_waiting(const MariadbClient& other);

 private:
  explicit MariadbClient(testkit::ChildProcess mariadb);

  testkit::ChildProcess mariadb_;
  std::string session_;
};

}  // namespace mizan::conformance
