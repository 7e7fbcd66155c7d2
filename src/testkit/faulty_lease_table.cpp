#include "testkit/faulty_lease_table.hpp"

#include <stdexcept>

namespace mizan::testkit {

using std::chrono::milliseconds;

FaultyLeaseTable::Script& FaultyLeaseTable::script(LeaseCall call) {
  return scripts_.at(static_cast<std::size_t>(call));
}

void FaultyLeaseTable::inject(LeaseCall call, LeaseFault fault, std::size_t nth) {
  const MutexLock lock(mutex_);
  Script& chosen = script(call);
  chosen.at[chosen.begun + nth] = fault;
}

void FaultyLeaseTable::inject_always(LeaseCall call, LeaseFault fault) {
  const MutexLock lock(mutex_);
  script(call).always = fault;
}

void FaultyLeaseTable::heal() {
  const MutexLock lock(mutex_);
  for (Script& each : scripts_) {
    each.at.clear();
    each.always.reset();
  }
}

void FaultyLeaseTable::let_go() {
  const MutexLock lock(mutex_);
  ++round_;
  let_go_.notify_all();
}

std::size_t FaultyLeaseTable::calls(LeaseCall call) const {
  const MutexLock lock(mutex_);
  return scripts_.at(static_cast<std::size_t>(call)).begun;
}

std::size_t FaultyLeaseTable::hanging() const {
  const MutexLock lock(mutex_);
  return hanging_;
}

std::optional<LeaseFault> FaultyLeaseTable::next_fault(LeaseCall call) {
  const MutexLock lock(mutex_);
  Script& chosen = script(call);
  ++chosen.begun;
  const auto found = chosen.at.find(chosen.begun);
  if (found == chosen.at.end()) return chosen.always;
  const LeaseFault fault = found->second;
  chosen.at.erase(found);
  return fault;
}

void FaultyLeaseTable::hang() {
  MutexLock lock(mutex_);
  const std::uint64_t round = round_;
  ++hanging_;
  while (round_ == round) let_go_.wait(lock);
  --hanging_;
}

template <class Answer, class Call>
Answer FaultyLeaseTable::suffer(LeaseCall kind, const Call& call) {
  const std::optional<LeaseFault> fault = next_fault(kind);
  if (!fault) return call();
  switch (*fault) {
    case LeaseFault::fail:
      break;
    case LeaseFault::lose_reply:
      static_cast<void>(call());
      break;
    case LeaseFault::doubt:
      static_cast<void>(call());
      return Error{Code::unknown,
                   Certainty::unknown,
                   Retry::after_backoff,
                   "faulty lease table",
                   "injected doubt"};
    case LeaseFault::hang:
      hang();
      return call();
    case LeaseFault::hang_reply: {
      Answer answer = call();
      hang();
      return answer;
    }
    case LeaseFault::throw_through:
      throw std::runtime_error("injected exception");
  }
  return unavailable("faulty lease table", "injected fault");
}

Result<LeaseAttempt> FaultyLeaseTable::acquire(const Resource& resource,
                                               const LockOwner& owner,
                                               milliseconds ttl) {
  return suffer<Result<LeaseAttempt>>(LeaseCall::acquire,
                                      [&] { return inner_.acquire(resource, owner, ttl); });
}

Result<bool> FaultyLeaseTable::renew(const Resource& resource,
                                     const LockOwner& owner,
                                     milliseconds ttl) {
  return suffer<Result<bool>>(LeaseCall::renew, [&] { return inner_.renew(resource, owner, ttl); });
}

Result<Renewal> FaultyLeaseTable::extend(const Resource& resource,
                                         const LockOwner& owner,
                                         milliseconds ttl) {
  return suffer<Result<Renewal>>(LeaseCall::renew,
                                 [&] { return inner_.extend(resource, owner, ttl); });
}

Result<bool> FaultyLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  return suffer<Result<bool>>(LeaseCall::release, [&] { return inner_.release(resource, owner); });
}

void FaultyLeaseTable::wait_for_release(const Resource& resource, milliseconds until_at_most) {
  inner_.wait_for_release(resource, until_at_most);
}

}  // namespace mizan::testkit
