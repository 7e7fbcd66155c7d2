#pragma once

#include "mizan/clock.hpp"
#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include "lock/redis/connection.hpp"
#include "lock/redis/reply.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace mizan::redis {

using Words = std::span<const std::string_view>;

/// The servers behind the options, whatever their topology. Any thread may call it.
class Servers {
 public:
  Servers() = default;
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;
  virtual ~Servers() = default;

  /// One command on the server that keeps the slot, and its reply, which may be an error of the
  /// server's. `unknown` where it was sent and not answered: nothing that may have been carried out
  /// is ever sent again. Ends at the deadline, and earlier by the options' own limits.
  virtual Result<Reply> ask(std::uint16_t slot, Words words, Deadline deadline) = 0;

  /// A connection of one's own, to a server that hears what is published.
  virtual Result<std::unique_ptr<Connection>> open_listener() = 0;

  /// Every server that keeps leases.
  virtual Result<std::vector<RedisAddress>> masters() = 0;

  /// A connection of one's own to that server.
  virtual Result<std::unique_ptr<Connection>> open(const RedisAddress& address) = 0;
};

// `tls` is null for connections in the clear.
[[nodiscard]] std::unique_ptr<Servers> make_master_servers(RedisOptions options,
                                                           std::shared_ptr<const TlsContext> tls);
[[nodiscard]] std::unique_ptr<Servers> make_cluster_servers(RedisOptions options,
                                                            std::shared_ptr<const TlsContext> tls);

}  // namespace mizan::redis
