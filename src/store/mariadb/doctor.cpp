#include "store/mariadb/doctor.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/node_doctor.hpp"
#include "store/mariadb/schema.hpp"

#include <charconv>
#include <string_view>
#include <utility>

namespace mizan::mariadb {
namespace {

using Level = Finding::Level;

constexpr std::int64_t packet_min = 4 << 20;

Finding flush_finding(const ServerSettings& settings) {
  const std::string value = settings.text("innodb_flush_log_at_trx_commit");
  const bool is_good = value == "1" || value == "3";
  const bool is_node = settings.is_on("wsrep_on");
  std::string detail = value + ": a commit is on disk before it is told";
  if (!is_good) {
    detail = value +
             ": commits that were acknowledged are lost with the machine's power; set "
             "innodb_flush_log_at_trx_commit = 1";
    if (is_node) {
      detail +=
          ", on every node: that others of the cluster have a commit too does not help when "
          "all of them lose power";
    }
  }
  return {is_good ? Level::ok : Level::problem, "innodb_flush_log_at_trx_commit", detail};
}

Finding binlog_finding(const ServerSettings& settings) {
  if (!settings.is_on("log_bin")) return {Level::ok, "sync_binlog", "there is no binary log"};
  if (settings.number("sync_binlog") == 1) {
    return {Level::ok, "sync_binlog", "1: the binary log is on disk before a commit is told"};
  }
  return {Level::problem,
          "sync_binlog",
          settings.text("sync_binlog") +
              ": after a crash, transactions may be missing in the binary log and on the replicas, "
              "or be rolled back here; set sync_binlog = 1"};
}

Finding format_finding(const ServerSettings& settings) {
  const std::string value = settings.text("binlog_format");
  const bool is_bad = settings.is_on("log_bin") && value == "STATEMENT";
  return {is_bad ? Level::problem : Level::ok,
          "binlog_format",
          value + (is_bad ? ": the server refuses what the ledger writes; set binlog_format = ROW"
                          : "")};
}

Finding doublewrite_finding(const ServerSettings& settings) {
  const bool is_on = settings.text("innodb_doublewrite") != "OFF";
  return {is_on ? Level::ok : Level::problem,
          "innodb_doublewrite",
          is_on ? "ON: a page that was half written is repaired"
                : "OFF: a page that was half written when the power went cannot be repaired; set "
                  "innodb_doublewrite = ON"};
}

Finding mode_finding(const ServerSettings& settings) {
  const std::string value = settings.text("sql_mode");
  const bool is_strict = value.find("STRICT_") != std::string::npos;
  return {is_strict ? Level::ok : Level::warning,
          "sql_mode",
          is_strict ? "strict; the ledger asks for it in every session"
                    : "not strict: the ledger asks for STRICT_ALL_TABLES in its own sessions, but "
                      "what other programs write is cut where it does not fit"};
}

Finding isolation_finding(const ServerSettings& settings) {
  return {Level::ok,
          "default_isolation",
          settings.text("tx_isolation") + "; the ledger's sessions ask for their own"};
}

Finding role_finding(const ServerSettings& settings) {
  if (!settings.is_on("read_only")) return {Level::ok, "role", "writable"};
  return {Level::problem, "role", "read_only: nothing can be written here; connect to the primary"};
}

Finding packet_finding(const ServerSettings& settings) {
  const std::int64_t size = settings.number("max_allowed_packet");
  const bool fits = size >= packet_min;
  return {fits ? Level::ok : Level::problem,
          "max_allowed_packet",
          std::to_string(size) + (fits ? "" : ": large batches do not fit; set it to 16M")};
}

Finding connections_finding(const ServerSettings& settings, std::uint32_t wanted) {
  const std::int64_t usable = settings.number("max_connections");
  const bool fits = static_cast<std::int64_t>(wanted) <= usable;
  return {fits ? Level::ok : Level::warning,
          "connections",
          "this process opens up to " + std::to_string(wanted) + ", the server has " +
              std::to_string(usable) + (fits ? "" : "; lower connections_max and readers_max")};
}

Result<Finding> user_finding(Session& session) {
  auto answer = session.ask(mariadb_sql::read_user_rights);
  if (!answer) return answer.error();
  const Row rights(*answer, 0);
  std::string more;
  if (rights.integer(0) > 0) more = "may change every database (rights ON *.*)";
  if (rights.integer(1) > 0)
    more += std::string(more.empty() ? "" : ", and ") + "may give rights away (GRANT OPTION)";
  if (more.empty()) return Finding{Level::ok, "user", "no rights on every database"};
  return Finding{Level::warning,
                 "user",
                 more +
                     ": a slip of any program with this login can change the ledger; give the "
                     "ledger a user of its own"};
}

Result<Finding> schema_finding(Session& session) {
  Status current = require_schema(session);
  if (current) {
    return Finding{Level::ok, "schema", "version " + std::to_string(newest_schema_version())};
  }
  if (current.error().code != Code::invalid_request) return current.error();
  return Finding{Level::problem, "schema", current.error().detail};
}

}  // namespace

Result<ServerSettings> ServerSettings::read(Session& session) {
  std::map<std::string, std::string, std::less<>> values;
  for (const std::string_view statement :
       {mariadb_sql::read_settings, mariadb_sql::read_node_state}) {
    auto answer = session.ask(statement);
    if (!answer) return answer.error();
    for (std::size_t i = 0; i < answer->size(); ++i) {
      const Row row(*answer, i);
      values.emplace(row.text(0), row.text(1));
    }
  }
  return ServerSettings(std::move(values));
}

std::string ServerSettings::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second;
}

std::int64_t ServerSettings::number(std::string_view name) const {
  const std::string value = text(name);
  std::int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

bool ServerSettings::is_on(std::string_view name) const {
  const std::string value = text(name);
  return !value.empty() && value != "OFF" && value != "0";
}

bool ServerSettings::is_durable() const {
  const std::int64_t flush = number("innodb_flush_log_at_trx_commit");
  const bool binlog_is_kept = !is_on("log_bin") || number("sync_binlog") == 1;
  return (flush == 1 || flush == 3) && binlog_is_kept && text("innodb_doublewrite") != "OFF";
}

std::vector<Finding> judge(const ServerSettings& settings, std::uint32_t connections) {
  std::vector<Finding> findings = {flush_finding(settings),
                                   binlog_finding(settings),
                                   format_finding(settings),
                                   doublewrite_finding(settings),
                                   role_finding(settings),
                                   mode_finding(settings),
                                   isolation_finding(settings),
                                   packet_finding(settings),
                                   connections_finding(settings, connections)};
  for (Finding& finding : judge_node(settings)) findings.push_back(std::move(finding));
  return findings;
}

Result<std::vector<Finding>> inspect(Session& session, std::uint32_t connections) {
  auto settings = ServerSettings::read(session);
  if (!settings) return settings.error();
  std::vector<Finding> findings = {
      {Level::ok, "mariadb", session.connection().peer().version_text}};
  for (Finding& finding : judge(*settings, connections)) findings.push_back(std::move(finding));
  if (session.connection().peer().is_node) {
    auto tables = find_unsafe_tables(session);
    if (!tables) return tables.error();
    findings.push_back(std::move(*tables));
  }
  auto user = user_finding(session);
  if (!user) return user.error();
  findings.push_back(std::move(*user));
  auto schema = schema_finding(session);
  if (!schema) return schema.error();
  findings.push_back(std::move(*schema));
  return findings;
}

std::string describe(const ServerSettings& settings) {
  std::string text =
      "innodb_flush_log_at_trx_commit=" + settings.text("innodb_flush_log_at_trx_commit");
  if (settings.is_on("log_bin")) text += ", sync_binlog=" + settings.text("sync_binlog");
  if (settings.text("innodb_doublewrite") == "OFF") text += ", innodb_doublewrite=OFF";
  if (!settings.is_durable()) text += ": not durable, a power failure may lose commits";
  return text;
}

}  // namespace mizan::mariadb
