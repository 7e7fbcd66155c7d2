#pragma once

#include "mizan/lease_table.hpp"

#include "base/mutex.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace mizan::testkit {

/// To extend a lease is to renew it.
enum class LeaseCall : std::uint8_t { acquire, renew, release };

/// What may happen to a call of a lease table.
enum class LeaseFault : std::uint8_t {
  fail,           ///< Nothing is done, an error is answered.
  lose_reply,     ///< It is done, but an error is answered that says nothing of it.
  doubt,          ///< It is done, and the answer says that this is not known.
  hang,           ///< Stuck before it is done, until `let_go`; then done and answered.
  hang_reply,     ///< Done, then stuck until `let_go`; then answered.
  throw_through,  ///< Nothing is done and an exception breaks the contract of the port.
};

/// Another lease table with faults on chosen calls. `inner` must outlive it. Any thread may call
/// it; let hanging calls go before it is destroyed.
class FaultyLeaseTable final : public LeaseTable {
 public:
  explicit FaultyLeaseTable(LeaseTable& inner) noexcept : inner_(inner) {}

  /// The `nth` call of this kind from now on (1 = the next) suffers the fault.
  void inject(LeaseCall call, LeaseFault fault, std::size_t nth = 1);

  /// Every call of this kind does, until `heal`. Single faults go first.
  void inject_always(LeaseCall call, LeaseFault fault);
  void heal();

  /// Frees every call that hangs now.
  void let_go();

  [[nodiscard]] std::size_t calls(LeaseCall call) const;  ///< Begun so far.
  [[nodiscard]] std::size_t hanging() const;              ///< Stuck right now.

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override;
  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override;
  Result<Renewal> extend(const Resource& resource,
                         const LockOwner& owner,
                         std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override;

 private:
  struct Script {
    std::size_t begun = 0;
    std::map<std::size_t, LeaseFault> at;
    std::optional<LeaseFault> always;
  };

  template <class Answer, class Call>
  Answer suffer(LeaseCall kind, const Call& call);
  std::optional<LeaseFault> next_fault(LeaseCall call) MIZAN_EXCLUDES(mutex_);
  void hang() MIZAN_EXCLUDES(mutex_);
  [[nodiscard]] Script& script(LeaseCall call) MIZAN_REQUIRES(mutex_);

  LeaseTable& inner_;
  mutable Mutex mutex_;
  std::condition_variable_any let_go_;
  std::array<Script, 3> scripts_ MIZAN_GUARDED_BY(mutex_);
  std::size_t hanging_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::uint64_t round_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan::testkit
