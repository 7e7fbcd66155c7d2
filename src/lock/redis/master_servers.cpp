#include "lock/redis/pool.hpp"
#include "lock/redis/servers.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace mizan::redis {
namespace {

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

/// One server, or the one that Sentinels call the master: they are asked before each connection.
class MasterServers final : public Servers {
 public:
  MasterServers(RedisOptions options, std::shared_ptr<const TlsContext> tls)
      : options_(std::move(options)),
        tls_(std::move(tls)),
        pool_([this](Deadline deadline) { return open_master(deadline); },
              {options_.connect_timeout, options_.command_timeout},
              options_.idle_connections_max) {}

  Result<Reply> ask(std::uint16_t /*slot*/, Words words, Deadline deadline) override {
    return pool_.ask(std::array<Words, 1>{words}, deadline);
  }

  Result<std::unique_ptr<Connection>> open_listener() override {
    return open_master(system_clock().now() + options_.connect_timeout);
  }

  Result<std::vector<RedisAddress>> masters() override {
    auto address = find_master(system_clock().now() + options_.connect_timeout);
    if (!address) return std::move(address).error();
    return std::vector{std::move(*address)};
  }

  Result<std::unique_ptr<Connection>> open(const RedisAddress& address) override {
    return Connection::open(address, login(), system_clock().now() + options_.connect_timeout);
  }

 private:
  [[nodiscard]] Login login() const {
    return {options_.user, options_.password, options_.database, tls_};
  }

  Result<RedisAddress> find_master(Deadline deadline) const;
  Result<RedisAddress> ask_sentinel(const RedisAddress& sentinel, Deadline deadline) const;
  Result<std::unique_ptr<Connection>> open_master(Deadline deadline) const;

  const RedisOptions options_;
  const std::shared_ptr<const TlsContext> tls_;
  Pool pool_;
};

Result<RedisAddress> MasterServers::ask_sentinel(const RedisAddress& sentinel,
                                                 Deadline deadline) const {
  auto connection = Connection::open(sentinel, {"", options_.sentinel_password, 0, tls_}, deadline);
  if (!connection) return std::move(connection).error();
  const std::array<std::string_view, 3> words{
      "SENTINEL", "get-master-addr-by-name", options_.sentinel_master};
  auto reply = (*connection)->ask(words, deadline);
  if (!reply) return std::move(reply).error();
  if (reply->is_error()) return to_error("SENTINEL", *reply);
  const auto port = reply->items.size() == 2 ? read_port(reply->items[1].text) : std::nullopt;
  if (!port) {
    return unavailable("redis: SENTINEL",
                       to_text(sentinel) + " knows no master of the name that the URL states");
  }
  return RedisAddress{reply->items[0].text, *port};
}

Result<RedisAddress> MasterServers::find_master(Deadline deadline) const {
  if (options_.topology == RedisTopology::single) return options_.addresses.front();
  Error last = unavailable("redis: SENTINEL", "none is known");
  std::size_t left = options_.addresses.size();
  for (const RedisAddress& sentinel : options_.addresses) {
    // One that hangs must leave time for the others.
    const Instant now = system_clock().now();
    const Deadline share = now + (deadline - now) / static_cast<std::int64_t>(left);
    auto master = ask_sentinel(sentinel, share);
    if (master) return master;
    last = std::move(master).error();
    --left;
  }
  return last;
}

Result<std::unique_ptr<Connection>> MasterServers::open_master(Deadline deadline) const {
  auto address = find_master(deadline);
  if (!address) return std::move(address).error();
  auto connection = Connection::open(*address, login(), deadline);
  if (!connection || options_.topology == RedisTopology::single) return connection;
  // A Sentinel may not have heard yet, and a replica would answer for an old master.
  const std::array<std::string_view, 1> words{"ROLE"};
  auto role = (*connection)->ask(words, deadline);
  if (!role) return std::move(role).error();
  if (role->is_error()) return to_error("ROLE", *role);
  if (role->items.empty() || role->items.front().text != "master") {
    return unavailable("redis: ROLE", to_text(*address) + " is no master (yet)");
  }
  return connection;
}

}  // namespace

std::unique_ptr<Servers> make_master_servers(RedisOptions options,
                                             std::shared_ptr<const TlsContext> tls) {
  return std::make_unique<MasterServers>(std::move(options), std::move(tls));
}

}  // namespace mizan::redis
