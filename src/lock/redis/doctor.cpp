#include "lock/redis/doctor.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mizan::redis {
namespace {

using Level = Finding::Level;

/// `name:value` of INFO; empty where it is not said.
std::string value_of(std::string_view info, std::string_view name) {
  const std::string line = fmt::format("\n{}:", name);
  const std::size_t begin = info.find(line);
  if (begin == std::string_view::npos) return {};
  const std::string_view value = info.substr(begin + line.size());
  return escape_for_log(value.substr(0, value.find_first_of("\r\n")), 64);
}

Finding judge_role(std::string_view info) {
  const std::string role = value_of(info, "role");
  if (role == "master") return {Level::ok, "role", "master"};
  return {Level::problem,
          "role",
          fmt::format("is {}: leases cannot be written here; name the master, or use "
                      "redis+sentinel:// or redis+cluster://",
                      role.empty() ? "unknown" : role)};
}

Finding judge_eviction(std::string_view info) {
  const std::string policy = value_of(info, "maxmemory_policy");
  const std::string limit = value_of(info, "maxmemory");
  if (policy == "noeviction") return {Level::ok, "maxmemory-policy", policy};
  if (limit == "0") {
    return {Level::warning,
            "maxmemory-policy",
            fmt::format("{}, though no maxmemory is set yet: set noeviction, or leases may be "
                        "dropped while they are held",
                        policy)};
  }
  return {Level::problem,
          "maxmemory-policy",
          fmt::format("{}: a full server drops leases that are held, and lets a second holder in; "
                      "set noeviction",
                      policy.empty() ? "unknown" : policy)};
}

Finding judge_persistence(std::string_view info) {
  if (value_of(info, "aof_enabled") == "1") {
    return {Level::ok, "persistence", "append-only file"};
  }
  return {Level::warning,
          "persistence",
          "no append-only file: a restart forgets leases that are held, and lets second holders "
          "in; their tokens still never go back. Set appendonly yes"};
}

Finding judge_version(std::string_view info) {
  const std::string valkey = value_of(info, "valkey_version");
  const std::string version = valkey.empty() ? value_of(info, "redis_version") : valkey;
  const auto major = parse_unsigned(std::string_view(version).substr(0, version.find('.')));
  if (!major || *major < 5) {
    return {Level::problem, "version", fmt::format("{}: needs 5.0 or newer", version)};
  }
  return {Level::ok, "version", fmt::format("{} {}", valkey.empty() ? "Redis" : "Valkey", version)};
}

}  // namespace

std::vector<Finding> judge(std::string_view info, const std::string& server) {
  std::vector<Finding> findings{
      judge_version(info), judge_role(info), judge_eviction(info), judge_persistence(info)};
  for (Finding& finding : findings) finding.name = fmt::format("{} {}", server, finding.name);
  return findings;
}

Result<std::vector<Finding>> inspect(Servers& servers) {
  auto masters = servers.masters();
  if (!masters) return std::move(masters).error();
  std::vector<Finding> all;
  for (const RedisAddress& address : *masters) {
    auto connection = servers.open(address);
    if (!connection) return std::move(connection).error();
    const std::array<std::string_view, 1> words{"INFO"};
    auto reply = (*connection)->ask(words, system_clock().now() + std::chrono::seconds{5});
    if (!reply) return std::move(reply).error();
    if (reply->is_error()) return to_error("INFO", *reply);
    for (Finding& finding : judge(reply->text, to_text(address))) {
      all.push_back(std::move(finding));
    }
  }
  return all;
}

}  // namespace mizan::redis
