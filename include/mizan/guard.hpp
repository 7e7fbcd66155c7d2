#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"
#include "mizan/sql.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan {

/// The user's statements. Answers the result to store and replay (up to 64 KiB of any text), or
/// an error, which rolls everything back. May run more than once (each time in a new transaction,
/// after the one before was rolled back), so it must not do anything outside `sql`. An exception
/// that leaves it is answered as an `internal` error, and nothing is kept.
using GuardedWork = std::function<Result<std::string>(SqlSession& sql)>;

struct GuardRequest {
  OperationId id;
  std::string content;               ///< What makes two requests "the same"; hashed.
  std::optional<Resource> resource;  ///< Locked and fenced; absent: no lock.
  std::vector<Fence> fences;         ///< Tokens of other locks, checked too.
  std::chrono::milliseconds ttl{10'000};
  Deadline deadline = Deadline::max();  ///< `max()`: 30 s from the call.
};

struct GuardApplied {
  std::string result;
};

struct GuardReplayed {
  std::string result;
};

struct GuardMismatch {};

/// Every lock of the request for which a newer token was applied; at least one.
struct GuardStale {
  std::vector<StaleFence> fences;
};

using GuardOutcome = std::variant<GuardApplied, GuardReplayed, GuardMismatch, GuardStale>;

struct GuardOptions {
  LockService* lock = nullptr;  ///< Null: no lock, no fence of its own.
  LockOutage lock_outage = LockOutage::fail;
  std::size_t attempts_max = 10;
  std::chrono::milliseconds commit_margin{50};  ///< Least remaining lease to start a COMMIT.
};

/// Protects the user's own SQL as the ledger protects its own: look the id up, lock, begin,
/// record the id, advance the fence, run the work, store the result, ask "still held?",
/// commit, release; retried whole by error class; unknown commits resolved by the id.
/// Threads: any number of threads may call `run` at once.
class Guard {
 public:
  Guard(Store& store, const Clock& clock, GuardOptions options);

  /// Errors: `invalid_request` for a malformed id or a store without SQL; `lock_busy`,
  /// `unavailable`, `contended`, `unknown`; an error of the work itself is passed through, and
  /// nothing of it was kept.
  /// Blocks: up to the deadline; a transaction under a lease also ends with the lease.
  [[nodiscard]] Result<GuardOutcome> run(const GuardRequest& request, const GuardedWork& work);

 private:
  Store& store_;
  const Clock& clock_;
  GuardOptions options_;
};

}  // namespace mizan
