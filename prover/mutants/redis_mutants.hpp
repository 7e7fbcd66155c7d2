#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/redis.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace mizan::prover {

/// Epochs that no database remembers: whatever Redis still knows, and one.
[[nodiscard]] std::unique_ptr<EpochTable> make_forgotten_epochs();

/// The lease table with that mutation, or null where the name is none of such a table. `redis` is
/// where it keeps its leases, if it does so in Redis. `base` must outlive it.
[[nodiscard]] std::unique_ptr<LeaseTable> make_redis_mutant(
    std::string_view name, LeaseTable& base, const std::optional<RedisOptions>& redis);

}  // namespace mizan::prover
