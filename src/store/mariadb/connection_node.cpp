// How a connection finds a node of a cluster, and what it does where that one is of no use.

#include "base/text.hpp"
#include "store/mariadb/connection.hpp"
#include "store/mariadb/mariadb_sql.hpp"

#include <mysql.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace mizan::mariadb {
namespace {

/// A node of a cluster that does not greet us by then is left for the next one.
constexpr std::chrono::seconds node_wait{3};

void start_library() {
  static std::once_flag once;
  std::call_once(once, [] { mysql_library_init(0, nullptr, nullptr); });
}

/// Another node may let us in: one that is away, or whose certificate has expired.
bool may_be_of_the_node(const Error& error) {
  return error.code == Code::unavailable || error.code == Code::invalid_request;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionSettings& settings,
                                                     const Clock& clock,
                                                     Deadline deadline) {
  start_library();
  Route& route = *settings.route;
  std::optional<Error> failed;
  for (std::size_t left = route.size(); left > 0 && clock.now() < deadline; --left) {
    const std::size_t node = route.current();
    // One that accepts a connection and says nothing must leave time for the others.
    const Deadline patience = left > 1 ? std::min(deadline, clock.now() + node_wait) : deadline;
    auto opened = open_current(settings, clock, patience);
    if (opened || !may_be_of_the_node(opened.error())) return opened;
    // What somebody has to mend says more than that another node is away.
    if (!failed || failed->code == Code::unavailable) failed = std::move(opened).error();
    route.leave(node);
  }
  if (!failed) return unavailable("mariadb: connect", "no time was left before the deadline");
  // Nobody is there: to be tried again at once is of no use.
  if (failed->code == Code::unavailable) failed->retry = Retry::after_backoff;
  return *std::move(failed);
}

Result<std::unique_ptr<Connection>> Connection::open_current(const ConnectionSettings& settings,
                                                             const Clock& clock,
                                                             Deadline deadline) {
  std::unique_ptr<Connection> connection(new Connection(settings, clock));
  if (Status connected = connection->connect(deadline); !connected) return connected.error();
  if (Status greeted = connection->greet(deadline); !greeted) return greeted.error();
  return connection;
}

Status Connection::meet_node(const Row& row, Deadline deadline) {
  const std::string_view provider = row.is_null(8) ? std::string_view() : row.text(8);
  peer_.is_node = !row.is_null(7) && row.text(7) == "ON" && !provider.empty() && provider != "none";
  if (!peer_.is_node) {
    if (settings_.route->size() == 1) return {};
    return invalid_request("mariadb: connect",
                           "the URL names several servers, and this one is no node of a Galera "
                           "cluster; name the primary only");
  }
  if (!settings_.route->belongs(row.is_null(9) ? std::string_view() : row.text(9))) {
    return invalid_request("mariadb: connect",
                           "the node belongs to another cluster than those that were met before");
  }
  if (settings_.observes) return tell(mariadb_sql::observe_node, {}, deadline);
  const std::string_view status = row.is_null(10) ? std::string_view() : row.text(10);
  // It would be waited for in vain, and what ends the wait is called a lock's.
  if (status != "Primary") return without_majority(status);
  if (Status told = tell(mariadb_sql::configure_node, {}, deadline); !told) return told;
  auto answer = ask(mariadb_sql::read_node, {}, deadline);
  if (!answer) return is_wait_over(failure_) ? out_of_step() : answer.error();
  const Row node(*answer, 0);
  if (node.integer(0) == 1 && node.integer(1) == 0) return {};
  return internal_error("mariadb: connect",
                        "the node's session is not as it was told to be; what stands in between?");
}

Error Connection::without_majority(std::string_view status) const {
  return unavailable("mariadb: connect",
                     "the node is not in its cluster's majority (wsrep_cluster_status is " +
                         escape_for_log(status) + ") and refuses everything");
}

Status Connection::begin(std::string_view statement, Deadline deadline) {
  Status begun = tell(statement, {}, deadline);
  if (!begun && peer_.is_node && is_wait_over(failure_)) return out_of_step();
  return begun;
}

Error Connection::out_of_step() {
  is_lost_ = true;
  leave_node();
  Error error = unavailable("mariadb: begin",
                            "the node does not come in step with its cluster, or has just lost its "
                            "majority; `mizan doctor` tells");
  if (settings_.route->size() > 1) error.retry = Retry::now;
  return error;
}

void Connection::leave_node() {
  settings_.route->leave(node_);
}

}  // namespace mizan::mariadb
