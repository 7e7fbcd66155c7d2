#pragma once

#include "mizan/result.hpp"

#include <chrono>
#include <cstdint>

namespace mizan {

/// The epochs of lock services whose memory may be lost: the database that checks the tokens owns
/// them. A lock service that finds its counters missing, rolled back or from another incarnation
/// draws an epoch and goes on from there, so that its tokens are above all that it ever granted.
/// Any thread and any process may call.
class EpochTable {
 public:
  EpochTable() = default;
  EpochTable(const EpochTable&) = delete;
  EpochTable& operator=(const EpochTable&) = delete;
  virtual ~EpochTable();

  /// An epoch greater than `above` (0 or more) and than every one that was ever answered; it is
  /// durable before it is answered. An error may have used one up, which does no harm. Any thread
  /// and any process may call. Blocks: up to ten seconds. Errors: `unavailable`, `contended`,
  /// `unknown`; `invalid_request` where no greater one is left.
  virtual Result<std::int64_t> next_epoch(std::int64_t above) = 0;

  /// The same, and blocks up to the limit, if that is less. The default ends as `next_epoch` does:
  /// for tables that wait for nobody.
  virtual Result<std::int64_t> next_epoch_within(std::int64_t above,
                                                 std::chrono::milliseconds limit);
};

}  // namespace mizan
