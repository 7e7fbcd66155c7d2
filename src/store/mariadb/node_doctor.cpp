#include "store/mariadb/node_doctor.hpp"

#include "base/text.hpp"
#include "store/mariadb/mariadb_sql.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace mizan::mariadb {
namespace {

using Level = Finding::Level;

/// What an option of the provider is set to: "name = value; name = value".
std::string option_of(const ServerSettings& settings, std::string_view name) {
  const std::string all = "; " + settings.text("wsrep_provider_options");
  const std::string key = "; " + std::string(name) + " = ";
  const std::size_t at = all.find(key);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + key.size();
  return all.substr(begin, std::min(all.find(';', begin), all.size()) - begin);
}

bool is_yes(const std::string& value) {
  return value == "yes" || value == "true" || value == "1" || value == "on";
}

Finding state_finding(const ServerSettings& settings) {
  const std::string status = settings.text("wsrep_cluster_status");
  const std::string state = settings.text("wsrep_local_state_comment");
  const std::string size = settings.text("wsrep_cluster_size");
  const std::string what = "a Galera node, one of " + size + ": " + status + ", " + state;
  if (status != "Primary" || !settings.is_on("wsrep_ready")) {
    return {Level::problem,
            "cluster",
            what + "; it is not part of its cluster's majority and refuses everything"};
  }
  if (state != "Synced") {
    return {Level::warning, "cluster", what + "; until it is in step, ask another one"};
  }
  return {
      Level::ok,
      "cluster",
      what + "; locks are a node's own, so what two nodes do to one wallet at once is run again"};
}

Finding size_finding(const ServerSettings& settings) {
  const std::int64_t size = settings.number("wsrep_cluster_size");
  if (size >= 3) return {Level::ok, "cluster_size", std::to_string(size)};
  return {Level::warning,
          "cluster_size",
          std::to_string(size) +
              ": when one node is gone the rest is no majority and stops; run three"};
}

Finding majority_finding(const ServerSettings& settings) {
  for (const std::string_view name : {"pc.ignore_quorum", "pc.ignore_sb"}) {
    if (!is_yes(option_of(settings, name))) continue;
    return {Level::problem,
            "cluster_majority",
            std::string(name) +
                " is set: two halves of the cluster both go on and the same money is spent twice; "
                "set it to no"};
  }
  return {Level::ok, "cluster_majority", "only the majority goes on"};
}

Finding order_finding(const ServerSettings& settings) {
  const std::string order = option_of(settings, "repl.commit_order");
  const bool is_good = order.empty() || order == "3";
  return {is_good ? Level::ok : Level::problem,
          "cluster_commit_order",
          is_good ? "commits keep their order"
                  : "repl.commit_order = " + order + ": readers see commits out of order; set 3"};
}

Finding streaming_finding(const ServerSettings& settings) {
  const std::string value = settings.text("wsrep_trx_fragment_size");
  const bool is_off = value == "0";
  return {is_off ? Level::ok : Level::warning,
          "wsrep_trx_fragment_size",
          value + (is_off ? ": transactions are sent as a whole"
                          : ": the ledger switches streaming off in its own sessions; servers have "
                            "crashed with it (MDEV-35281), set it to 0")};
}

Finding schema_method_finding(const ServerSettings& settings) {
  const std::string value = settings.text("wsrep_osu_method");
  const bool is_total = value == "TOI";
  return {is_total ? Level::ok : Level::problem,
          "wsrep_osu_method",
          value + (is_total ? ": a change of a table is made on every node"
                            : ": a migration would change this node's tables only; set it to TOI")};
}

Finding numbers_finding(const ServerSettings& settings) {
  const bool differ =
      settings.is_on("wsrep_auto_increment_control") ||
      settings.number("auto_increment_increment") >= settings.number("wsrep_cluster_size");
  return {differ ? Level::ok : Level::warning,
          "auto_increment",
          differ ? "nodes number rows by themselves, and differently"
                 : "wsrep_auto_increment_control is OFF and auto_increment_increment smaller than "
                   "the cluster: wallets that two nodes create at once get the same number, and "
                   "one of them is tried again"};
}

}  // namespace

std::vector<Finding> judge_node(const ServerSettings& settings) {
  const std::string provider = settings.text("wsrep_provider");
  if (!settings.is_on("wsrep_on") || provider.empty() || provider == "none") {
    return {{Level::ok, "cluster", "none"}};
  }
  return {state_finding(settings),
          size_finding(settings),
          majority_finding(settings),
          order_finding(settings),
          streaming_finding(settings),
          schema_method_finding(settings),
          numbers_finding(settings)};
}

Result<Finding> find_unsafe_tables(Session& session) {
  auto answer = session.ask(mariadb_sql::list_unsafe_tables);
  if (!answer) return answer.error();
  if (answer->empty()) {
    return Finding{Level::ok, "tables", "every one is InnoDB and has a primary key"};
  }
  std::string names;
  for (std::size_t i = 0; i < answer->size(); ++i) {
    names += (i == 0 ? "" : ", ") + escape_for_log(Row(*answer, i).text(0));
  }
  return Finding{Level::warning,
                 "tables",
                 names +
                     ": not InnoDB, or without a primary key; nodes do not keep them the same, and "
                     "no transaction of the guard may rest on them"};
}

}  // namespace mizan::mariadb
