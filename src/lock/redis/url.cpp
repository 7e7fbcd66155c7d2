#include "mizan/redis.hpp"

#include "base/duration.hpp"
#include "base/percent.hpp"
#include "base/text.hpp"
#include "lock/redis/options.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mizan {
namespace {

constexpr const char* where = "lock: redis URL";

Error wrong(std::string detail) {
  return invalid_request(where, std::move(detail));
}

/// What is before the first `mark`, which goes; all where there is none.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view before = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return before;
}

Status read_scheme(std::string_view scheme, RedisOptions& options) {
  const bool is_valkey = scheme.starts_with("valkey");
  const std::string_view kind = scheme.substr(is_valkey ? 6 : 5);
  options.tls = kind == "s" || kind.starts_with("s+");
  const std::string_view topology = options.tls ? kind.substr(1) : kind;
  if (topology.empty()) return {};
  options.topology = topology == "+sentinel" ? RedisTopology::sentinel : RedisTopology::cluster;
  if (topology == "+sentinel" || topology == "+cluster") return {};
  return wrong("the scheme is redis, rediss, redis+sentinel or redis+cluster");
}

Status read_user(std::string_view text, RedisOptions& options) {
  const bool has_password = text.find(':') != std::string_view::npos;
  const auto user = percent_decoded(cut(text, ':'));
  const auto password = percent_decoded(text);
  if (!user || !password) return wrong("user and password: % is written as %25");
  if (!has_password && !user->empty()) {
    return wrong("a user needs a password: user:password@, or :password@ for the default user");
  }
  options.user = *user;
  options.password = *password;
  return {};
}

Result<RedisAddress> read_address(std::string_view text, std::uint16_t port) {
  RedisAddress address{"", port};
  const bool is_bracketed = text.starts_with('[');
  const std::size_t host_end = is_bracketed ? text.find(']') : text.find(':');
  if (is_bracketed && host_end == std::string_view::npos) return wrong("host: ] is missing");
  address.host = text.substr(is_bracketed ? 1 : 0, host_end - (is_bracketed ? 1 : 0));
  text.remove_prefix(std::min(host_end, text.size()));
  if (is_bracketed) text.remove_prefix(1);
  if (address.host.empty()) return wrong("a host is missing, as in redis://localhost:6379");
  if (address.host.size() > 255 || escape_for_log(address.host) != address.host) {
    return wrong("host: is no name of a host");
  }
  if (text.empty()) return address;
  const auto number = parse_unsigned(text.substr(1));
  if (text.front() != ':' || !number || *number == 0 || *number > 65'535) {
    return wrong("port: is a number from 1 to 65535");
  }
  address.port = static_cast<std::uint16_t>(*number);
  return address;
}

Status read_addresses(std::string_view text, RedisOptions& options) {
  const bool is_sentinel = options.topology == RedisTopology::sentinel;
  do {
    auto address = read_address(cut(text, ','), is_sentinel ? 26'379 : 6'379);
    if (!address) return std::move(address).error();
    options.addresses.push_back(std::move(*address));
  } while (!text.empty());
  return {};
}

Status read_path(std::string_view path, RedisOptions& options) {
  if (options.topology == RedisTopology::sentinel) {
    const auto name = percent_decoded(cut(path, '/'));
    if (!name) return wrong("master: % is written as %25");
    options.sentinel_master = *name;
  }
  if (path.empty()) return {};
  const auto number = parse_unsigned(path);
  if (!number || *number > 65'535) return wrong("database: is a number, as in redis://host/0");
  options.database = static_cast<std::uint32_t>(*number);
  return {};
}

Status read_parameter(std::string_view text, RedisOptions& options) {
  const std::string_view name = cut(text, '=');
  if (name == "prefix") {
    options.prefix = text;
    return {};
  }
  for (const auto& [known, file] : {std::pair("ca_file", &RedisOptions::tls_ca_file),
                                    std::pair("cert_file", &RedisOptions::tls_cert_file),
                                    std::pair("key_file", &RedisOptions::tls_key_file)}) {
    if (name != known) continue;
    const auto decoded = percent_decoded(text);
    if (!decoded) return wrong(std::string(name) + ": % is written as %25");
    options.*file = *decoded;
    return {};
  }
  if (name == "connect_timeout" || name == "command_timeout") {
    const auto duration = parse_duration(text);
    if (!duration) return wrong(std::string(name) + ": is a time, such as 500ms or 2s");
    (name == "connect_timeout" ? options.connect_timeout : options.command_timeout) = *duration;
    return {};
  }
  // The text may hold a secret of somebody who guessed a name: only known ones are repeated.
  return wrong(
      "knows the parameters prefix, connect_timeout, command_timeout, ca_file, cert_file and "
      "key_file only");
}

bool is_redis(std::string_view scheme) {
  return scheme.starts_with("redis") || scheme.starts_with("valkey");
}

}  // namespace

Result<RedisOptions> parse_redis_url(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos || !is_redis(url.substr(0, scheme_end))) {
    return wrong("is redis://host:port, rediss://, redis+sentinel:// or redis+cluster://");
  }
  RedisOptions options;
  if (Status read = read_scheme(url.substr(0, scheme_end), options); !read) return read.error();
  std::string_view rest = url.substr(scheme_end + 3);
  // A password may hold any of the marks that follow it, so it goes first.
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    if (Status read = read_user(rest.substr(0, at), options); !read) return read.error();
    rest.remove_prefix(at + 1);
  }
  std::string_view place = cut(rest, '?');
  if (Status read = read_addresses(cut(place, '/'), options); !read) return read.error();
  if (Status read = read_path(place, options); !read) return read.error();
  while (!rest.empty()) {
    if (Status read = read_parameter(cut(rest, '&'), options); !read) return read.error();
  }
  if (Status valid = redis::check(options); !valid) return valid.error();
  return options;
}

namespace redis {

Status check(const RedisOptions& options) {
  const auto in_range = [](std::chrono::milliseconds time) {
    return time >= std::chrono::milliseconds{1} && time <= std::chrono::seconds{60};
  };
  const std::string_view prefix = options.prefix;
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  if (options.addresses.empty()) return wrong("no host is stated");
  if (options.tls_cert_file.empty() != options.tls_key_file.empty()) {
    return wrong("cert_file and key_file: belong together");
  }
  if (!options.tls && !(options.tls_ca_file.empty() && options.tls_cert_file.empty())) {
    return wrong("ca_file, cert_file and key_file: are for rediss://");
  }
  if (prefix.empty() || prefix.size() > 32 ||
      prefix.find_first_not_of(allowed) != std::string_view::npos) {
    return wrong("prefix: is 1 to 32 of A-Za-z0-9._-");
  }
  if (!in_range(options.connect_timeout) || !in_range(options.command_timeout)) {
    return wrong("connect_timeout and command_timeout: are 1ms to 60s");
  }
  if (options.topology == RedisTopology::sentinel && options.sentinel_master.empty()) {
    return wrong("redis+sentinel needs the master's name: redis+sentinel://host:26379/mymaster");
  }
  if (options.topology == RedisTopology::cluster && options.database != 0) {
    return wrong("a cluster has no database but 0");
  }
  if (options.topology == RedisTopology::single && options.addresses.size() > 1) {
    return wrong("several hosts are for redis+sentinel:// and redis+cluster://");
  }
  return {};
}

}  // namespace redis
}  // namespace mizan
