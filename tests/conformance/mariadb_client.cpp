#include "tests/conformance/mariadb_client.hpp"

#include "mizan/mariadb.hpp"

#include "testkit/mariadb_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

constexpr std::string_view end_of_answer = "end of answer";

/// Errors are told where the answers are, in their order.
ChildProcess start_mariadb(const MariadbOptions& options) {
  std::vector<std::string> command = {
      "/bin/sh",
      "-c",
      "exec mariadb --no-defaults --batch --force --unbuffered --skip-column-names --raw "
      "--default-character-set=utf8mb4 \"$@\" mizan 2>&1",
      "mariadb",
      "--user=" + options.user};
  if (options.socket.empty()) {
    command.push_back("--host=" + options.host);
    command.push_back("--port=" + std::to_string(options.port));
  } else {
    command.push_back("--socket=" + options.socket);
  }
  return must(ChildProcess::start(command));
}

MariadbOptions options_of_shared(std::string_view user) {
  auto options = must(parse_mariadb_url(must(MariadbServer::shared())->url()));
  options.user = user;
  return options;
}

}  // namespace

MariadbClient::MariadbClient(ChildProcess mariadb)
    : mariadb_(std::move(mariadb)), session_(ask("SELECT CONNECTION_ID()")) {}

MariadbClient::MariadbClient(std::string_view user)
    : MariadbClient(start_mariadb(options_of_shared(user))) {}

MariadbClient MariadbClient::at(const std::string& url) {
  return MariadbClient(start_mariadb(must(parse_mariadb_url(url))));
}

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
