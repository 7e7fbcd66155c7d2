#pragma once

#include "mizan/redis.hpp"

#include "lock/redis/reply.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mizan::redis {

/// Which master keeps which slots, as one node told. One thread at a time.
class ClusterMap {
 public:
  /// From the reply to CLUSTER SLOTS of the node `asked`, whose host stands in where a node does
  /// not know its own. Empty when the reply is of another form.
  [[nodiscard]] static ClusterMap read(const Reply& slots, const RedisAddress& asked);

  [[nodiscard]] std::optional<RedisAddress> find(std::uint16_t slot) const;
  void move(std::uint16_t slot, const RedisAddress& address);

  [[nodiscard]] bool is_empty() const noexcept { return ranges_.empty(); }

  /// Each master once.
  [[nodiscard]] std::vector<RedisAddress> masters() const;

 private:
  struct Range {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    RedisAddress address;
  };

  std::vector<Range> ranges_;  // A later one overrules an earlier one.
};

/// A redirection, "MOVED 3999 host:port" or "ASK …".
struct Redirection {
  bool for_good = false;  ///< MOVED; else ASK, for this one command.
  RedisAddress address;
};

/// Nothing when the reply is none. `asked` is who answered: its host stands in for an empty one.
[[nodiscard]] std::optional<Redirection> read_redirection(const Reply& reply,
                                                          const RedisAddress& asked);

}  // namespace mizan::redis
