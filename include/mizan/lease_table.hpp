#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include <chrono>
#include <cstdint>
#include <variant>

namespace mizan {

struct LeaseGranted {
  FenceToken token;
  std::chrono::milliseconds remaining{};  ///< Validity from the moment the table answered.
};

struct LeaseHeld {
  std::chrono::milliseconds remaining{};  ///< Until the other owner's lease expires.
};

using LeaseAttempt = std::variant<LeaseGranted, LeaseHeld>;

/// What became of a lease that was to be extended. Who holds it now is not told: whoever knows an
/// owner can give its lease back.
enum class Renewal : std::uint8_t {
  extended,
  not_mine,            ///< Taken or expired: this table does not tell which.
  taken,               ///< Somebody else holds it.
  expired,             ///< Nobody holds it: it ended, or was given back or deleted.
  epoch_changed,       ///< The table's counter was lost and begun anew since it was granted.
  server_incarnation,  ///< The server's data are others than those in which it was granted.
};

/// The port that a lock service fills: three atomic steps on a table of leases. Everything else
/// (renewal, waiting, being told of a loss) is src/lock/core, once for all. Any thread may call.
class LeaseTable {
 public:
  LeaseTable() = default;
  LeaseTable(const LeaseTable&) = delete;
  LeaseTable& operator=(const LeaseTable&) = delete;
  virtual ~LeaseTable();

  /// Grants the resource when it is free or expired, with a token greater than every token it was
  /// ever granted with. The same owner asking again gets the same token (a lost reply is safe to
  /// repeat) and, from now, the whole ttl. Nothing is minted when another owner holds it.
  virtual Result<LeaseAttempt> acquire(const Resource& resource,
                                       const LockOwner& owner,
                                       std::chrono::milliseconds ttl) = 0;

  /// The same, with an end to the waiting: what was asked and not answered within the limit is
  /// `unknown`, for it may have been granted. Blocks: up to the limit. The default ends as
  /// `acquire` does: for tables that wait for nobody. (A time and no moment, as everywhere here:
  /// the table's clock need not be the caller's.)
  virtual Result<LeaseAttempt> acquire_within(const Resource& resource,
                                              const LockOwner& owner,
                                              std::chrono::milliseconds ttl,
                                              std::chrono::milliseconds limit);

  /// Extends to `ttl` from now while the owner still holds it and it has not expired; never
  /// creates. False: not mine (any more).
  virtual Result<bool> renew(const Resource& resource,
                             const LockOwner& owner,
                             std::chrono::milliseconds ttl) = 0;

  /// The same, and why not. The default knows `extended` and `not_mine` only.
  virtual Result<Renewal> extend(const Resource& resource,
                                 const LockOwner& owner,
                                 std::chrono::milliseconds ttl);

  /// Gives it back when the owner holds it. False: not mine (any more); nothing was changed.
  virtual Result<bool> release(const Resource& resource, const LockOwner& owner) = 0;

  /// `renew` and `release`, with an end to the waiting as `acquire_within` has one: what was asked
  /// and not answered within the limit may have been done. The defaults end as the ones without.
  virtual Result<bool> renew_within(const Resource& resource,
                                    const LockOwner& owner,
                                    std::chrono::milliseconds ttl,
                                    std::chrono::milliseconds limit);
  virtual Result<bool> release_within(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds limit);

  /// Blocks until somebody in this process may have released the resource, or `until_at_most`
  /// passed. The default sleeps: a table that hears of releases wakes earlier.
  virtual void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most);
};

}  // namespace mizan
