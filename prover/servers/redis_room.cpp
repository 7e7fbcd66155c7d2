#include "prover/servers/redis_room.hpp"

#include <utility>

#if MIZAN_WITH_REDIS

#include "mizan/clock.hpp"

#include "lock/redis/options.hpp"
#include "lock/redis/places.hpp"
#include "lock/redis/servers.hpp"
#include "lock/redis/tls.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>

namespace mizan::prover {

namespace {

using redis::Connection;
using redis::Reply;

constexpr std::chrono::seconds command_wait{10};

void add_secret(std::string& into, const char* variable) {
  const char* value = std::getenv(variable);
  if (into.empty() && value != nullptr) into = value;
}

using Tls = std::shared_ptr<const redis::TlsContext>;

/// Null: in the clear.
Result<Tls> make_tls(const RedisOptions& options) {
  if (Status valid = redis::check(options); !valid) return valid.error();
  if (!options.tls) return Tls();
  auto made = redis::TlsContext::make(options);
  if (!made) return std::move(made).error();
  return Tls(std::move(*made));
}

Result<std::unique_ptr<redis::Servers>> connect(const RedisOptions& options) {
  const auto tls = make_tls(options);
  if (!tls) return tls.error();
  return options.topology == RedisTopology::cluster ? make_cluster_servers(options, *tls)
                                                    : make_master_servers(options, *tls);
}

Result<Reply> ask(Connection& connection, const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  auto reply = connection.ask(views, system_clock().now() + command_wait);
  if (reply && reply->is_error()) return redis::to_error(words.front(), *reply);
  return reply;
}

Status on_each_master(const RedisOptions& options,
                      const std::function<Status(Connection& connection)>& work) {
  const auto servers = connect(options);
  if (!servers) return servers.error();
  const auto masters = (*servers)->masters();
  if (!masters) return masters.error();
  for (const RedisAddress& address : *masters) {
    auto connection = (*servers)->open(address);
    if (!connection) return std::move(connection).error();
    if (Status done = work(**connection); !done) return done;
  }
  return {};
}

/// The keys of one server; a key begins with the prefix behind the brace of its hash tag.
Result<std::vector<std::string>> find_keys(Connection& connection, std::string_view prefix) {
  std::vector<std::string> keys;
  std::string cursor = "0";
  do {
    auto reply = ask(connection,
                     {"SCAN", cursor, "MATCH", "{" + std::string(prefix) + "*", "COUNT", "1000"});
    if (!reply) return std::move(reply).error();
    if (reply->items.size() != 2) return unavailable("prover: SCAN", "unexpected answer");
    cursor = reply->items[0].text;
    for (Reply& key : reply->items[1].items) keys.push_back(std::move(key.text));
  } while (cursor != "0");
  return keys;
}

}  // namespace

Result<RedisOptions> redis_options_of(const std::string& url) {
  auto options = parse_redis_url(url);
  if (!options) return options;
  add_secret(options->user, "MIZAN_REDIS_USER");
  add_secret(options->password, "MIZAN_REDIS_PASSWORD");
  add_secret(options->sentinel_password, "MIZAN_REDIS_SENTINEL_PASSWORD");
  return options;
}

Result<std::size_t> count_lock_keys(const RedisOptions& options, std::string_view prefix) {
  std::size_t count = 0;
  const Status counted = on_each_master(options, [&](Connection& connection) -> Status {
    const auto keys = find_keys(connection, prefix);
    if (!keys) return keys.error();
    count += keys->size();
    return {};
  });
  if (!counted) return counted.error();
  return count;
}

Status remove_lock_keys(const RedisOptions& options, std::string_view prefix) {
  return on_each_master(options, [&](Connection& connection) -> Status {
    const auto keys = find_keys(connection, prefix);
    if (!keys) return keys.error();
    // One by one: in a cluster they are of different slots.
    for (const std::string& key : *keys) {
      const auto removed = ask(connection, {"DEL", key});
      if (!removed) return removed.error();
    }
    return {};
  });
}

Status delete_lease(const RedisOptions& options, const Resource& resource) {
  const auto servers = connect(options);
  if (!servers) return servers.error();
  const redis::Place place = redis::place_of(options.prefix, resource);
  const std::vector<std::string_view> words{"DEL", place.lease};
  const auto reply = (*servers)->ask(place.slot, words, system_clock().now() + command_wait);
  if (!reply) return reply.error();
  return {};
}

Status fail_over(const RedisOptions& options) {
  const auto tls = make_tls(options);
  if (!tls) return tls.error();
  Error last = unavailable("prover: SENTINEL", "no Sentinel is known");
  for (const RedisAddress& sentinel : options.addresses) {
    const auto connection = Connection::open(
        sentinel, {"", options.sentinel_password, 0, *tls}, system_clock().now() + command_wait);
    if (!connection) {
      last = connection.error();
      continue;
    }
    const auto begun = ask(**connection, {"SENTINEL", "FAILOVER", options.sentinel_master});
    if (begun) return {};
    last = begun.error();
  }
  return last;
}

Result<std::string> name_master(const RedisOptions& options) {
  const auto servers = connect(options);
  if (!servers) return servers.error();
  const auto masters = (*servers)->masters();
  if (!masters) return masters.error();
  return redis::to_text(masters->front());
}

Status command_masters(const RedisOptions& options, const std::vector<std::string>& words) {
  return on_each_master(options, [&](Connection& connection) -> Status {
    const auto reply = ask(connection, words);
    if (!reply) return reply.error();
    return {};
  });
}

}  // namespace mizan::prover

#else

namespace mizan::prover {

namespace {

Error absent() {
  return invalid_request("mizan prove", "this build has no Redis");
}

}  // namespace

Result<RedisOptions> redis_options_of(const std::string&) {
  return absent();
}

Result<std::size_t> count_lock_keys(const RedisOptions&, std::string_view) {
  return absent();
}

Status remove_lock_keys(const RedisOptions&, std::string_view) {
  return absent();
}

Status delete_lease(const RedisOptions&, const Resource&) {
  return absent();
}

Status fail_over(const RedisOptions&) {
  return absent();
}

Result<std::string> name_master(const RedisOptions&) {
  return absent();
}

Status command_masters(const RedisOptions&, const std::vector<std::string>&) {
  return absent();
}

}  // namespace mizan::prover

#endif
