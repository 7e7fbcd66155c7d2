#include "tests/conformance/postgres_client.hpp"

#include "testkit/postgres_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

constexpr std::string_view end_of_answer = "SQLSTATE ";

ChildProcess start_psql() {
  std::vector<std::string> command = must(must(PostgresServer::shared())->psql());
  command.insert(command.end(), {"--no-align", "--tuples-only", "--set=VERBOSITY=sqlstate"});
  return must(ChildProcess::start(command));
}

}  // namespace

PostgresClient::PostgresClient() : psql_(start_psql()), backend_(ask("SELECT pg_backend_pid()")) {}

void PostgresClient::send(std::string_view statement) {
  must(psql_.write(std::string(statement) + ";\n\\echo " + std::string(end_of_answer) +
                   ":SQLSTATE\n"));
}

std::string PostgresClient::answer() {
  std::string value;
  for (;;) {
    const std::string line = must_have(psql_.read_line(soon()));
    if (!line.starts_with(end_of_answer)) {
      value += line;
      continue;
    }
    const std::string state = line.substr(end_of_answer.size());
    return state == "00000" ? value : "error " + state;
  }
}

std::string PostgresClient::ask(std::string_view statement) {
  send(statement);
  return answer();
}

bool PostgresClient::is_waiting(const PostgresClient& other) {
  return ask("SELECT cardinality(pg_blocking_pids(" + other.backend_ + ")) > 0") == "t";
}

}  // namespace mizan::conformance
