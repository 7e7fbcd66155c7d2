#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mizan {

enum class RedisTopology : std::uint8_t {
  single,    ///< One server.
  sentinel,  ///< A master that Sentinels name; they fail over to a replica.
  cluster,   ///< The keys are spread over several masters.
};

struct RedisAddress {
  std::string host;
  std::uint16_t port = 6379;
};

/// Where the lock's Redis (or Valkey) is and how to talk to it.
struct RedisOptions {
  RedisTopology topology = RedisTopology::single;

  /// The server; the Sentinels; some nodes of the cluster (the others are found). At least one.
  std::vector<RedisAddress> addresses;
  std::string sentinel_master;  ///< The name that the Sentinels know the master by.

  std::string user;               ///< Empty: the default user.
  std::string password;           ///< Empty: none. Never in a message of ours.
  std::string sentinel_password;  ///< Of the Sentinels themselves; empty: none.
  bool tls = false;               ///< The certificate must be the host's, by name or IP address.
  std::string tls_ca_file;        ///< PEM of whom to trust; empty: as the system does.
  std::string tls_cert_file;      ///< PEM of our own certificate, where the server asks for one;
  std::string tls_key_file;       ///< and of its key. Both or none.

  std::uint32_t database = 0;  ///< Not 0: not with a cluster.

  /// Before every key; 1–32 of `A-Za-z0-9._-`. Those who share locks state the same one.
  std::string prefix = "mizan";

  std::chrono::milliseconds connect_timeout{1'000};  ///< 1 ms – 60 s, name look-up included.
  std::chrono::milliseconds command_timeout{1'000};  ///< 1 ms – 60 s, for each exchange.

  // Changes performance.
  std::uint32_t idle_connections_max = 16;  ///< Kept open per server; more are closed after use.
};

/// Reads `redis://[user[:password]@]host[:port][/database]`, `rediss://…` (TLS),
/// `redis+sentinel://[user[:password]@]host[:port],…/master[/database]` and
/// `redis+cluster://[user[:password]@]host[:port],…`, each with `?prefix=…&connect_timeout=500ms`
/// `&command_timeout=…` behind it, for TLS also `ca_file`, `cert_file` and `key_file`. `valkey` may
/// be said for `redis`, and `s` behind either means TLS.
/// Errors: `invalid_request` naming what is wrong, without the URL: it may hold a password.
[[nodiscard]] Result<RedisOptions> parse_redis_url(std::string_view url);

/// Leases in Redis. `epochs` is the database that checks the tokens (`Store::epochs`): it keeps
/// tokens from ever going back when Redis loses its data, fails over or is restored. Null: tokens
/// grow only while Redis keeps its memory (afterwards epochs come from the wall clock, in steps of
/// ten minutes). Connects at the first call. `epochs` must outlive it.
/// Errors: `invalid_request` for options that cannot work, and where the build has no Redis.
[[nodiscard]] Result<std::unique_ptr<LeaseTable>> make_redis_lease_table(
    const RedisOptions& options, EpochTable* epochs);

/// A lock service over such a table. A call blocks for up to connect_timeout + command_timeout for
/// each exchange with a server that does not answer, and fails at once for a while after that.
/// `epochs` and `clock` must outlive it.
[[nodiscard]] Result<std::unique_ptr<LockService>> make_redis_lock(const RedisOptions& options,
                                                                   EpochTable* epochs,
                                                                   const Clock& clock);

}  // namespace mizan
