#include "tests/conformance/mariadb_client.hpp"

#include "mizan/mariadb.hpp"

#include "testkit/mariadb_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <vector>

namespace mizan::conformance {
namespace {

constexpr std::string_view end_of_answer = "end of answer";

/// Errors are told where the answers are, in their order.
ChildProcess start_mariadb(std::string_view user) {
  const auto options = must(parse_mariadb_url(must(MariadbServer::shared())->url()));
  const std::vector<std::string> command = {
      "/bin/sh",
      "-c",
      "exec mariadb --no-defaults --batch --force --unbuffered --skip-column-names --raw "
      "--default-character-set=utf8mb4 --socket=\"$0\" --user=\"$1\" mizan 2>&1",
      options.socket,
      std::string(user)};
  return must(ChildProcess::start(command));
}

}  // namespace

MariadbClient::MariadbClient(std::string_view user)
    : mariadb_(start_mariadb(user)), session_(ask("SELECT CONNECTION_ID()")) {}

void MariadbClient::send(std::string_view statements) {
  must(mariadb_.write(std::string(statements) + ";\nSELECT '" + std::string(end_of_answer) +
                      "';\n"));
}

std::string MariadbClient::answer() {
  std::string value;
  std::string error;
  for (;;) {
    const std::string line = must_have(mariadb_.read_line(soon()));
    if (line == end_of_answer) return error.empty() ? value : error;
    // ERROR 1644 (22023) at line 1: …
    const std::size_t state = line.find('(') + 1;
    const bool failed = line.starts_with("ERROR ") && error.empty();
    if (failed) error = "error " + line.substr(state, line.find(')') - state);
    value += line;
  }
}

std::string MariadbClient::ask(std::string_view statements) {
  send(statements);
  return answer();
}

bool MariadbClient::is_waiting(const MariadbClient& other) {
  // The server shows an old picture to whoever asks again within a tenth of a second.
  return ask("DO SLEEP(0.15); SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_state = "
             "'LOCK WAIT' AND "
             "trx_mysql_thread_id = " +
             other.session_) == "1";
}

}  // namespace mizan::conformance
