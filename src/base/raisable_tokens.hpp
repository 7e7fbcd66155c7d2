#pragma once

#include "mizan/ids.hpp"

#include <cstdint>

namespace mizan {

/// Marks a lock service whose tokens can be raised above one that another lock service granted: a
/// ledger that moved from one to the other finds its marks above all that the new one grants. Found
/// by a dynamic_cast of the service; one that wraps another is not marked.
class RaisableTokens {
 public:
  RaisableTokens() = default;
  RaisableTokens(const RaisableTokens&) = delete;
  RaisableTokens& operator=(const RaisableTokens&) = delete;
  virtual ~RaisableTokens() = default;

  /// From now on grants of the resource have tokens above `newest`. False, and nothing is changed,
  /// where that is beyond what a lock service grants by itself. Any thread may call. No I/O.
  virtual bool raise_above(const Resource& resource, FenceToken newest) = 0;
};

/// Lock services stay below this for a century or more; what is above was made up by somebody, and
/// tokens up to here are exact in JSON everywhere.
inline constexpr std::int64_t raised_token_max = std::int64_t{1} << 53U;

}  // namespace mizan
