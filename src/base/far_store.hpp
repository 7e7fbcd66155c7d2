#pragma once

namespace mizan {

/// Marks a store at the other end of a link, where each question costs a round trip: what can be
/// decided on cached states is then written without having asked anything, because the write alone
/// finds the ids that are recorded and the wallets that are stale. Found by a dynamic_cast of the
/// store; one that wraps another is not marked and is asked everything.
class FarStore {
 public:
  FarStore() = default;
  FarStore(const FarStore&) = delete;
  FarStore& operator=(const FarStore&) = delete;
  virtual ~FarStore() = default;
};

}  // namespace mizan
