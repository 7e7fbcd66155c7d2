#pragma once

#include "mizan/clock.hpp"
#include "mizan/finding.hpp"
#include "mizan/ids.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/operation.hpp"
#include "mizan/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan {

// A lock with a timeout cannot guarantee mutual exclusion (Kleppmann, "How to do distributed
// locking"; Hazelcast's and Curator's manuals say the same). It saves duplicate work; the fence in
// the database is what keeps late holders out.

enum class LeaseState : std::uint8_t {
  held,
  suspect,  ///< Renewals are failing; the deadline has not been reached.
  lost,     ///< Not ours any more, or nobody can tell: stop working.
  released,
};

/// Why a lease was lost.
enum class LeaseLoss : std::uint8_t {
  not_mine,            ///< The table says that somebody else holds it, or nobody.
  taken,               ///< The table says that somebody else holds it.
  expired,             ///< The table says that nobody holds it.
  deadline,            ///< The TTL (less the margin) passed without a successful renewal.
  server_incarnation,  ///< The lock service lost its memory.
  epoch_changed,
  fence_rejected,  ///< The database has seen a newer token.
  max_lifetime,    ///< Held for longer than was allowed at acquisition.
  shutdown,        ///< The lock service object was destroyed.
};

[[nodiscard]] std::string_view to_string(LeaseState state) noexcept;
[[nodiscard]] std::string_view to_string(LeaseLoss loss) noexcept;

enum class Release : std::uint8_t {
  released,
  not_held,  ///< It was lost or released before; nothing was changed.
  unknown,   ///< The table did not answer; the lease ends with its TTL.
};

/// A held lock. Movable; one owner. Destruction releases it, never throws, and is a no-op for a
/// lost or released lease. Release only after the commit of the work it protects.
/// Threads: the observers may be called from any thread.
class Lease {
 public:
  class Impl;
  explicit Lease(std::shared_ptr<Impl> impl) noexcept;
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) noexcept;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease();

  [[nodiscard]] const Resource& resource() const noexcept;
  [[nodiscard]] FenceToken token() const noexcept;
  [[nodiscard]] const LockOwner& owner() const noexcept;

  /// Resource, token and owner as an operation carries them.
  [[nodiscard]] Fence fence() const;

  [[nodiscard]] LeaseState state() const noexcept;
  [[nodiscard]] std::optional<LeaseLoss> loss() const noexcept;

  /// How long the lease is certainly valid, by the local clock; local and cheap. 0 when lost.
  [[nodiscard]] std::chrono::milliseconds remaining() const noexcept;

  /// Requested to stop, once, when the lease is lost.
  [[nodiscard]] std::stop_token lost() const noexcept;

  /// Tells the lease that the database rejected its token.
  void report_fence_rejected() noexcept;

  /// Stops renewal, then gives the lock back. Idempotent. Blocks for one exchange with the table
  /// and for a callback of this lease that is running; afterwards none will run any more. (Called
  /// from a callback it does not wait for that one.)
  Release release() noexcept;

  /// Lets go without giving the lock back: from now on whoever was told owner and token extends
  /// and ends it with LockService::renew and ::release. No notice follows. A no-op when it is over.
  void hand_over() noexcept;

 private:
  std::shared_ptr<Impl> impl_;  // Shared with the renewal thread.
};

struct AcquireRequest {
  Resource resource;
  std::chrono::milliseconds ttl{10'000};  ///< 50 ms – 1 h.

  /// How long to wait while another owner holds it; absent: do not wait.
  std::optional<Deadline> wait_until;

  /// When the one attempt of a caller who does not wait ends at the latest; absent: it may take the
  /// TTL, after which an answer is of no use. Where the service does not say by then whether it
  /// granted, that is `unknown`.
  std::optional<Deadline> answer_by;

  /// How long to go on asking while the lock service cannot be reached, never past `wait_until`;
  /// absent: until then. Where stated, one that hangs has half of the time that is left at most.
  std::optional<std::chrono::milliseconds> outage_wait;
  std::stop_token cancel;  ///< Ends the waiting.

  /// Renew at 40 % of the TTL on the service's own thread; off for leases handed to others.
  bool auto_renew = true;

  /// The lease is lost after this long whatever happens; absent: 1 h.
  std::optional<std::chrono::milliseconds> lifetime_max;

  /// Stated to repeat an acquisition whose reply was lost; empty: random.
  LockOwner owner;

  /// Called at most once each, on the service's thread, outside any lock of ours. May call the
  /// lease's observers and release it. Must be quick (other holders' notices wait behind it), must
  /// not throw and must not destroy the service.
  std::function<void()> on_suspect;
  std::function<void(LeaseLoss)> on_lost;
};

struct LockBusy {
  std::chrono::milliseconds remaining{};  ///< Of the other owner's lease.
};

struct LockWaitTimedOut {
  std::chrono::milliseconds remaining{};
};

struct LockWaitCancelled {};

using AcquireOutcome = std::variant<Lease, LockBusy, LockWaitTimedOut, LockWaitCancelled>;

/// Grants leases. Any thread may call it. Destruction stops the renewal thread; leases that are
/// still held are lost with LeaseLoss::shutdown (and end with their TTL).
class LockService {
 public:
  LockService() = default;
  LockService(const LockService&) = delete;
  LockService& operator=(const LockService&) = delete;
  virtual ~LockService();

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Does one acquisition keep others out? False for `make_no_lock`: its tokens order nothing, so
  /// the ledger and the guard work without a lock of theirs and without a fence from it.
  [[nodiscard]] virtual bool excludes() const noexcept { return true; }

  /// Blocks up to `wait_until`; where that is absent or near, for one exchange with the table: up
  /// to `answer_by` or the TTL, whichever is first, and 100 ms at least.
  virtual Result<AcquireOutcome> acquire(AcquireRequest request) = 0;

  /// For leases handed to others (HTTP, shell): extend or give back by owner. False: not mine.
  virtual Result<bool> renew(const Resource& resource,
                             const LockOwner& owner,
                             std::chrono::milliseconds ttl) = 0;
  virtual Result<bool> release(const Resource& resource, const LockOwner& owner) = 0;

  /// The same, and blocks up to the limit, if that is less: what was not answered within it may
  /// have been done. The defaults end as the ones without a limit.
  virtual Result<bool> renew_within(const Resource& resource,
                                    const LockOwner& owner,
                                    std::chrono::milliseconds ttl,
                                    std::chrono::milliseconds limit);
  virtual Result<bool> release_within(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds limit);

  /// Settings of whatever keeps the leases that matter for them, one finding each; nothing where
  /// there is nothing to look at. An error where it cannot be reached.
  virtual Result<std::vector<Finding>> doctor() { return std::vector<Finding>(); }
};

/// A lock service over any lease table (src/lock/core). `clock` and `table` must outlive it.
[[nodiscard]] std::unique_ptr<LockService> make_lock_service(std::string name,
                                                             LeaseTable& table,
                                                             const Clock& clock);

/// Leases in this process's memory, with their table inside.
[[nodiscard]] std::unique_ptr<LockService> make_memory_lock(const Clock& clock);

/// A lease table in memory, for tests of several services over one table.
[[nodiscard]] std::unique_ptr<LeaseTable> make_memory_lease_table(const Clock& clock);

/// Every acquisition succeeds at once; tokens still grow. For "no lock needed".
[[nodiscard]] std::unique_ptr<LockService> make_no_lock(const Clock& clock);

}  // namespace mizan
