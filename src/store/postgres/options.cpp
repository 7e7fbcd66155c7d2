#include "store/postgres/options.hpp"

#include "base/password_file.hpp"
#include "base/percent.hpp"
#include "base/text.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan {
namespace {

constexpr std::size_t schema_size_max = 63;
constexpr std::uint64_t connections_limit = 10'000;

Error wrong(std::string detail) {
  return invalid_request("postgres: URL", std::move(detail));
}

Error malformed() {
  return wrong(
      "it is not of the form postgres://user@host:port/database?parameter=value; characters such "
      "as @ / ? % in a part of it are written as %40 %2F %3F %25");
}

bool is_schema_name(std::string_view name) {
  if (name.empty() || name.size() > schema_size_max) return false;
  if (name.front() >= '0' && name.front() <= '9') return false;
  // Names that begin so belong to the server.
  if (name.starts_with("pg_")) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
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

/// True where the parameter was ours.
Result<bool> take_parameter(PostgresOptions& options,
                            std::string_view key,
                            const std::string& value) {
  Status taken;
  if (key == "schema") {
    if (!is_schema_name(value)) {
      return wrong("schema must be 1–63 of a–z, 0–9 and _, and not begin with a digit or pg_");
    }
    options.schema = value;
  } else if (key == "password_file") {
    options.password_file = value;
  } else if (key == "connections_max") {
    taken = set_count(options.connections_max, key, value);
  } else if (key == "readers_max") {
    taken = set_count(options.readers_max, key, value);
  } else if (key == "prepared_statements") {
    if (value != "on" && value != "off") return wrong("prepared_statements must be on or off");
    options.prepared_statements = value == "on";
  } else {
    return false;
  }
  if (!taken) return taken.error();
  return true;
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};

/// libpq's own words may quote any part of the URL, a password too.
Status check_url(const std::string& url) {
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> parsed(
      PQconninfoParse(url.c_str(), &message));
  const std::string text = message == nullptr ? "" : message;
  PQfreemem(message);
  if (parsed) return {};
  constexpr std::string_view unknown = "invalid URI query parameter: ";
  if (text.starts_with(unknown)) {
    return wrong("there is no parameter " + escape_for_log(text.substr(unknown.size())));
  }
  return malformed();
}

/// Where what a login's own marks could be taken for ends: after its `@`, as libpq finds it;
/// nothing where parts of a password would be read as something else, and be named in an error.
std::optional<std::size_t> end_of_login(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t mark = url.find_first_of("@/", begin);
  if (mark == std::string_view::npos) return begin;
  if (url[mark] == '@') {
    if (url.find('@', mark + 1) != std::string_view::npos) return std::nullopt;
    return mark + 1;
  }
  const bool has_port = url.substr(begin, mark - begin).find(':') != std::string_view::npos;
  if (has_port && url.find('@', mark) != std::string_view::npos) return std::nullopt;
  return begin;
}

}  // namespace

Result<PostgresOptions> parse_postgres_url(std::string_view url) {
  PostgresOptions options;
  const auto login_end = end_of_login(url);
  if (!login_end) return malformed();
  const std::size_t question = std::min(url.find('?', *login_end), url.size());
  std::string kept;
  std::string_view rest = question < url.size() ? url.substr(question + 1) : std::string_view();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view key = parameter.substr(0, equals);
    const auto value = percent_decoded(parameter.substr(std::min(equals + 1, parameter.size())));
    if (!value) return wrong("a value of its parameters has a % without two digits");
    auto ours = take_parameter(options, key, *value);
    if (!ours) return ours.error();
    if (*ours) continue;
    kept += kept.empty() ? '?' : '&';
    kept += parameter;
  }
  options.url = std::string(url.substr(0, question)) + kept;
  if (Status valid = check_url(options.url); !valid) return valid.error();
  return options;
}

namespace postgres {

Result<ConnectionSettings> to_settings(const PostgresOptions& options) {
  if (!is_schema_name(options.schema)) {
    return wrong("schema must be 1–63 of a–z, 0–9 and _, and not begin with a digit or pg_");
  }
  if (options.connections_max == 0 || options.readers_max == 0) {
    return wrong("connections_max and readers_max must be at least 1");
  }
  if (Status valid = check_url(options.url); !valid) return valid.error();
  ConnectionSettings settings;
  settings.url = options.url;
  settings.schema = options.schema;
  settings.prepares = options.prepared_statements;
  if (!options.password_file.empty()) {
    auto password = read_password_file(options.password_file);
    if (!password) return password.error();
    settings.password = std::move(*password);
  }
  return settings;
}

}  // namespace postgres
}  // namespace mizan
