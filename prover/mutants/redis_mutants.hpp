#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"

#include "testkit/redis_server.hpp"

#include <memory>
#include <string_view>

namespace mizan::prover {

/// Epochs that no database remembers: whatever Redis still knows, and one.
[[nodiscard]] std::unique_ptr<EpochTable> make_forgotten_epochs();

/// The lease table in Redis with that mutation, or null where the name is none of such a table.
/// Both must outlive it.
[[nodiscard]] std::unique_ptr<LeaseTable> make_redis_mutant(std::string_view name,
                                                            LeaseTable& base,
                                                            const testkit::RedisServer& server);

}  // namespace mizan::prover
