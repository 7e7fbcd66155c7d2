#include "store/postgres/doctor.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/schema.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace mizan::postgres {
namespace {

using Level = Finding::Level;

/// The connections that the server keeps for its superusers.
constexpr std::int64_t reserved_connections = 3;

struct Settings {
  Durability durability;
  std::string isolation;
  std::string encoding;
  bool is_standby = false;
  std::string integer_times;
  std::string checksums;
  std::int64_t connections_max = 0;
  bool is_superuser = false;
};

Result<Settings> read_settings(Session& session) {
  auto answer = session.ask(postgres_sql::read_settings);
  if (!answer) return answer.error();
  const Row row(*answer, 0);
  Settings settings;
  settings.durability = {row.text(0) == "on", row.text(1) == "on", std::string(row.text(2))};
  settings.isolation = row.text(3);
  settings.encoding = row.text(4);
  settings.is_standby = row.flag(5);
  settings.integer_times = row.text(6);
  settings.checksums = row.text(7);
  settings.connections_max = std::atoll(std::string(row.text(8)).c_str());
  settings.is_superuser = row.text(9) == "on";
  return settings;
}

std::string on_or_off(bool on) {
  return on ? "on" : "off";
}

Finding fsync_finding(const Durability& durability) {
  return {durability.fsync ? Level::ok : Level::problem,
          "fsync",
          on_or_off(durability.fsync) +
              (durability.fsync ? ": commits reach the disk"
                                : ": commits and the database itself may be lost with the "
                                  "machine's power; set fsync = on")};
}

Finding full_pages_finding(const Durability& durability) {
  return {durability.full_page_writes ? Level::ok : Level::problem,
          "full_page_writes",
          on_or_off(durability.full_page_writes) +
              (durability.full_page_writes
                   ? ": a page that was half written is repaired"
                   : ": a page that was half written when the power went cannot be repaired; set "
                     "full_page_writes = on")};
}

Finding commit_finding(const Durability& durability) {
  const std::string& value = durability.synchronous_commit;
  if (value == "off") {
    return {Level::warning,
            "synchronous_commit",
            "off: the ledger switches it on for its own transactions; other programs' commits may "
            "be lost after they were acknowledged"};
  }
  return {Level::ok, "synchronous_commit", value + ": a commit is on disk before it is told"};
}

Finding isolation_finding(const Settings& settings) {
  return {Level::ok,
          "default_isolation",
          settings.isolation + "; the ledger asks for its own in every transaction"};
}

Finding encoding_finding(const Settings& settings) {
  if (settings.encoding == "UTF8") return {Level::ok, "encoding", settings.encoding};
  return {Level::problem,
          "encoding",
          settings.encoding +
              ", must be UTF8: metadata may be refused; create the database with "
              "ENCODING 'UTF8' TEMPLATE template0"};
}

Finding standby_finding(const Settings& settings) {
  if (!settings.is_standby) return {Level::ok, "role", "primary"};
  return {Level::problem, "role", "standby: nothing can be written here; connect to the primary"};
}

Finding checksums_finding(const Settings& settings) {
  if (settings.checksums == "on") return {Level::ok, "data_checksums", "on"};
  return {Level::warning,
          "data_checksums",
          settings.checksums +
              ": a page that the disk damaged is not noticed when it is read; "
              "pg_checksums --enable switches them on"};
}

Finding connections_finding(const Settings& settings, std::uint32_t wanted) {
  const std::int64_t usable = settings.connections_max - reserved_connections;
  const bool fits = static_cast<std::int64_t>(wanted) <= usable;
  return {fits ? Level::ok : Level::warning,
          "connections",
          "this process opens up to " + std::to_string(wanted) + ", the server has " +
              std::to_string(settings.connections_max) +
              (fits ? "" : "; lower connections_max and readers_max, or put a pooler in between")};
}

Finding pooler_finding(const Peer& peer) {
  if (!peer.is_pooled) return {Level::ok, "pooler", "none between this process and the server"};
  return {Level::ok,
          "pooler",
          "one stands in between: statements are not prepared and nothing outlives a transaction"};
}

Finding version_finding(const Peer& peer) {
  return {Level::ok, "postgres", peer.version_text};
}

Finding privilege_finding(const Settings& settings) {
  if (!settings.is_superuser) return {Level::ok, "user", "no superuser"};
  return {Level::warning,
          "user",
          "a superuser: a slip of any program with this login can change the ledger; give the "
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

Result<std::vector<Finding>> inspect(Session& session, std::uint32_t connections) {
  auto settings = read_settings(session);
  if (!settings) return settings.error();
  const Peer& peer = session.connection().peer();
  std::vector<Finding> findings = {version_finding(peer),
                                   standby_finding(*settings),
                                   fsync_finding(settings->durability),
                                   full_pages_finding(settings->durability),
                                   commit_finding(settings->durability),
                                   isolation_finding(*settings),
                                   encoding_finding(*settings),
                                   checksums_finding(*settings),
                                   connections_finding(*settings, connections),
                                   pooler_finding(peer),
                                   privilege_finding(*settings)};
  auto schema = schema_finding(session);
  if (!schema) return schema.error();
  findings.push_back(std::move(*schema));
  return findings;
}

Result<Durability> read_durability(Session& session) {
  auto settings = read_settings(session);
  if (!settings) return settings.error();
  return std::move(settings->durability);
}

std::string describe(const Durability& durability) {
  const std::string settings = "fsync=" + on_or_off(durability.fsync) +
                               ", full_page_writes=" + on_or_off(durability.full_page_writes);
  if (!durability.fsync || !durability.full_page_writes) {
    return settings + ": not durable, a power failure may lose commits";
  }
  const bool is_off = durability.synchronous_commit == "off";
  return settings + ", synchronous_commit=" + (is_off ? "on" : durability.synchronous_commit);
}

}  // namespace mizan::postgres
