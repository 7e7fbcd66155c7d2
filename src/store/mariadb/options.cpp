#include "store/mariadb/options.hpp"

#include "base/password_file.hpp"
#include "base/percent.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan {
namespace {

using Tls = MariadbOptions::Tls;

constexpr std::size_t prefix_size_max = 32;
constexpr std::uint64_t connections_limit = 10'000;
constexpr std::uint64_t port_max = 65'535;

Error wrong(std::string detail) {
  return invalid_request("mariadb: URL", std::move(detail));
}

Error malformed() {
  return wrong(
      "it is not of the form mariadb://user@host:port/database?parameter=value; characters such as "
      "@ / ? , % in a part of it are written as %40 %2F %3F %2C %25");
}

Status check_prefix(std::string_view prefix) {
  const bool fits = !prefix.empty() && prefix.size() <= prefix_size_max && prefix.front() >= 'a' &&
                    prefix.front() <= 'z' && std::all_of(prefix.begin(), prefix.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                    });
  if (fits) return {};
  return wrong("prefix must be 1–32 of a–z, 0–9 and _, and begin with a letter");
}

Status set_count(std::uint32_t& target, std::string_view key, std::string_view value) {
  const auto count = parse_unsigned(value);
  if (!count || *count == 0 || *count > connections_limit) {
    return wrong(std::string(key) + " must be a number from 1 to " +
                 std::to_string(connections_limit));
  }
  target = static_cast<std::uint32_t>(*count);
  return {};
}

Status set_tls(Tls& target, std::string_view value) {
  constexpr std::pair<std::string_view, Tls> known[] = {
      {"off", Tls::off}, {"required", Tls::required}, {"verified", Tls::verified}};
  for (const auto& [name, tls] : known) {
    if (value != name) continue;
    target = tls;
    return {};
  }
  return wrong("tls must be off, required or verified");
}

Status set_parameter(MariadbOptions& options, std::string_view key, const std::string& value) {
  if (key == "connections_max") return set_count(options.connections_max, key, value);
  if (key == "readers_max") return set_count(options.readers_max, key, value);
  if (key == "tls") return set_tls(options.tls, value);
  if (key == "prefix") {
    options.prefix = value;
    return check_prefix(value);
  }
  if (key == "socket") {
    options.socket = value;
    return {};
  }
  const std::pair<std::string_view, std::filesystem::path*> files[] = {
      {"password_file", &options.password_file},
      {"tls_ca", &options.tls_ca},
      {"tls_certificate", &options.tls_certificate},
      {"tls_key", &options.tls_key}};
  for (const auto& [name, file] : files) {
    if (key != name) continue;
    *file = value;
    return {};
  }
  return wrong("there is no parameter " + escape_for_log(key));
}

Status set_parameters(MariadbOptions& options, std::string_view rest) {
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view key = parameter.substr(0, equals);
    const auto value = percent_decoded(parameter.substr(std::min(equals + 1, parameter.size())));
    if (!value) return wrong("a value of its parameters has a % without two digits");
    if (Status set = set_parameter(options, key, *value); !set) return set;
  }
  return {};
}

/// `host`, `host:port`, `[address]:port`.
Status read_host(MariadbOptions::Address& address, std::string_view text) {
  std::size_t end = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return malformed();
    address.host = std::string(text.substr(1, bracket - 1));
    end = bracket + 1 < text.size() ? bracket + 1 : std::string_view::npos;
    if (end != std::string_view::npos && text[end] != ':') return malformed();
  } else {
    const auto host = percent_decoded(text.substr(0, std::min(end, text.size())));
    if (!host) return malformed();
    address.host = *host;
  }
  if (end == std::string_view::npos) return {};
  const auto port = parse_unsigned(text.substr(end + 1));
  if (!port || *port == 0 || *port > port_max) {
    return wrong("the port must be a number from 1 to 65535");
  }
  address.port = static_cast<std::uint16_t>(*port);
  return {};
}

/// One host, or the nodes of a cluster with commas between them.
Status set_hosts(MariadbOptions& options, std::string_view text) {
  std::vector<MariadbOptions::Address> nodes;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    is_last = comma == text.size();
    if (Status read = read_host(nodes.emplace_back(), text.substr(0, comma)); !read) return read;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  const bool any_is_empty =
      std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.host.empty(); });
  if (nodes.size() > 1 && any_is_empty) return wrong("one of several hosts has no name");
  options.host = nodes.front().host;
  options.port = nodes.front().port;
  options.further_nodes.assign(nodes.begin() + 1, nodes.end());
  return {};
}

Status set_user(MariadbOptions& options, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto user = percent_decoded(text.substr(0, colon));
  const auto password = percent_decoded(text.substr(std::min(colon + 1, text.size())));
  if (!user || !password) return malformed();
  options.user = *user;
  options.password = *password;
  return {};
}

}  // namespace

Result<MariadbOptions> parse_mariadb_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return malformed();
  std::string_view rest = url.substr(scheme + 3);
  const std::size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view parameters = rest.substr(std::min(question + 1, rest.size()));
  rest = rest.substr(0, question);
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return malformed();
  // Part of a password would be read as something else, and be named in an error.
  if (url.find('@', scheme + 3 + slash) != std::string_view::npos) return malformed();
  const auto database = percent_decoded(rest.substr(slash + 1));
  if (!database || database->empty() || database->find('/') != std::string::npos) {
    return malformed();
  }
  MariadbOptions options;
  options.database = *database;
  const std::string_view authority = rest.substr(0, slash);
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    if (Status set = set_user(options, authority.substr(0, at)); !set) return set.error();
  }
  const std::string_view hosts =
      at == std::string_view::npos ? authority : authority.substr(at + 1);
  if (Status set = set_hosts(options, hosts); !set) return set.error();
  if (Status set = set_parameters(options, parameters); !set) return set.error();
  return options;
}

namespace mariadb {

Result<ConnectionSettings> to_settings(const MariadbOptions& options) {
  if (Status valid = check_prefix(options.prefix); !valid) return valid.error();
  if (options.connections_max == 0 || options.readers_max == 0) {
    return wrong("connections_max and readers_max must be at least 1");
  }
  if (options.database.empty()) return wrong("it names no database");
  ConnectionSettings settings;
  std::vector<mariadb::Address> nodes = {{options.host, options.port}};
  for (const MariadbOptions::Address& node : options.further_nodes) {
    nodes.push_back({node.host, node.port});
  }
  settings.route = std::make_shared<mariadb::Route>(std::move(nodes));
  settings.socket = options.socket;
  settings.user = options.user;
  settings.password = options.password;
  settings.database = options.database;
  settings.prefix = options.prefix;
  settings.tls = static_cast<mariadb::Tls>(options.tls);
  settings.tls_ca = options.tls_ca.string();
  settings.tls_certificate = options.tls_certificate.string();
  settings.tls_key = options.tls_key.string();
  if (settings.password.empty() && !options.password_file.empty()) {
    auto password = read_password_file(options.password_file);
    if (!password) return password.error();
    settings.password = std::move(*password);
  }
  return settings;
}

}  // namespace mariadb
}  // namespace mizan
