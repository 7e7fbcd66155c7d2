#pragma once

#include "mizan/store.hpp"

#include "prover/mutants/forward.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace mizan::prover {

/// Where a transaction stands; it can be held up there.
enum class Point : std::uint8_t {
  begun,       ///< Its ids are claimed; nothing else of it is locked.
  checked,     ///< What the decision only read was looked at once more.
  has_rows,    ///< It loaded wallets under a lock.
  locks_rows,  ///< It is about to lock or change wallets, for the first time.
  wrote,       ///< Everything is written; COMMIT comes next.
};

/// What the transactions of a store met.
struct Met {
  std::atomic<std::uint64_t> deadlocks{0};
  std::atomic<std::uint64_t> lock_timeouts{0};
};

/// Called on the thread that works, with the first operation id of the transaction.
using PointHook = std::function<void(Point point, const OperationId& operation)>;

/// A store that says where its transactions stand, and counts what the database made them meet.
/// Any thread may use it; `base` must outlive it.
class WatchedStore final : public ForwardingStore {
 public:
  WatchedStore(Store& base, PointHook hook);

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override;

  [[nodiscard]] const Met& met() const noexcept { return met_; }

 private:
  PointHook hook_;
  Met met_;
};

}  // namespace mizan::prover
