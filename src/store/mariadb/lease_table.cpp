#include "store/mariadb/lease_table.hpp"

#include "base/backoff.hpp"
#include "base/no_token_left.hpp"
#include "base/random.hpp"
#include "store/mariadb/fences.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/session.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace mizan::mariadb {
namespace {

/// An answer that comes later is of no use to most leases.
constexpr std::chrono::seconds patience{10};

/// Another process may have released the resource: nobody waits for longer without asking again.
constexpr std::chrono::milliseconds poll_interval{50};

constexpr int attempts_max = 10;

std::int64_t microseconds(std::chrono::milliseconds time) {
  return std::chrono::microseconds(time).count();
}

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

/// The newest token that was applied for the resource.
Result<std::int64_t> applied_token(Session& session, const Resource& resource) {
  auto mark = find_fence(session, resource);
  if (!mark) return mark.error();
  return *mark ? (*mark)->token.value() : 0;
}

}  // namespace

template <class T, class Work>
Result<T> MariadbLeaseTable::in_transaction(Work work, std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + std::min<std::chrono::milliseconds>(patience, limit);
  Backoff backoff(system_random());
  for (int attempt = 1;; ++attempt) {
    auto lent = pool_.lend(deadline);
    if (!lent) return lent.error();
    Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
    Result<T> result = work(session);
    Status committed;
    if (result) committed = session.commit();
    if (result && committed) return result;
    const Error error = result ? committed.error() : result.error();
    // A deadlock, another node that was faster, or a node that is gone: nothing was changed.
    const auto next = backoff.next(clock_.now(), deadline);
    if (error.retry != Retry::now || attempt == attempts_max || !next) return error;
    clock_.sleep_until(*next);
  }
}

Result<LeaseAttempt> MariadbLeaseTable::acquire(const Resource& resource,
                                                const LockOwner& owner,
                                                std::chrono::milliseconds ttl) {
  return acquire_within(resource, owner, ttl, patience);
}

Result<LeaseAttempt> MariadbLeaseTable::acquire_within(const Resource& resource,
                                                       const LockOwner& owner,
                                                       std::chrono::milliseconds ttl,
                                                       std::chrono::milliseconds limit) {
  const Wanted wanted{resource, owner, ttl};
  return in_transaction<LeaseAttempt>(
      [&wanted](Session& session) { return try_acquire(session, wanted); }, limit);
}

Result<LeaseAttempt> MariadbLeaseTable::try_acquire(Session& session, const Wanted& wanted) {
  auto newest = applied_token(session, wanted.resource);
  if (!newest) return newest.error();
  const std::string_view owner = wanted.owner.view();
  const std::string_view resource = wanted.resource.view();
  Parameters update;
  update.text(owner)
      .integer(*newest)
      .text(owner)
      .integer(microseconds(wanted.ttl))
      .text(resource)
      .text(owner)
      .integer(*newest)
      .text(owner);
  auto updated = session.ask(mariadb_sql::acquire_lease, update);
  if (!updated) return updated.error();
  auto lease = session.ask(mariadb_sql::find_lease, text(resource));
  if (!lease) return lease.error();
  if (updated->affected() == 1) {
    return LeaseAttempt(LeaseGranted{FenceToken{Row(*lease, 0).integer(0)}, wanted.ttl});
  }
  if (lease->empty()) return insert_first(session, wanted, *newest);
  const Row row(*lease, 0);
  constexpr std::int64_t greatest = greatest_token.value();
  const std::chrono::microseconds left(row.is_null(1) ? 0 : row.integer(2));
  const bool is_used_up = row.integer(0) == greatest || *newest == greatest;
  if (left.count() <= 0 && is_used_up) return no_token_left(wanted.resource);
  // Otherwise it ended between the two statements.
  // Rounded up: whoever waits that long finds it expired.
  return LeaseAttempt(LeaseHeld{
      std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(1))});
}

Result<LeaseAttempt> MariadbLeaseTable::insert_first(Session& session,
                                                     const Wanted& wanted,
                                                     std::int64_t newest) {
  if (newest == greatest_token.value()) return no_token_left(wanted.resource);
  Parameters first;
  first.text(wanted.resource.view())
      .integer(newest + 1)
      .text(wanted.owner.view())
      .integer(microseconds(wanted.ttl));
  auto inserted = session.insert(mariadb_sql::insert_lease, first);
  if (!inserted) return inserted.error();
  if (*inserted) return LeaseAttempt(LeaseGranted{FenceToken{newest + 1}, wanted.ttl});
  // Somebody else was faster by a moment.
  return LeaseAttempt(LeaseHeld{std::chrono::milliseconds(1)});
}

Result<bool> MariadbLeaseTable::change(std::string_view statement,
                                       const Parameters& parameters,
                                       std::chrono::milliseconds limit) {
  return in_transaction<bool>(
      [&](Session& session) -> Result<bool> {
        auto answer = session.ask(statement, parameters);
        if (!answer) return answer.error();
        return answer->affected() == 1;
      },
      limit);
}

Result<bool> MariadbLeaseTable::renew(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds ttl) {
  return renew_within(resource, owner, ttl, patience);
}

Result<bool> MariadbLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  return release_within(resource, owner, patience);
}

Result<bool> MariadbLeaseTable::renew_within(const Resource& resource,
                                             const LockOwner& owner,
                                             std::chrono::milliseconds ttl,
                                             std::chrono::milliseconds limit) {
  Parameters parameters;
  parameters.integer(microseconds(ttl)).text(resource.view()).text(owner.view());
  return change(mariadb_sql::renew_lease, parameters, limit);
}

Result<bool> MariadbLeaseTable::release_within(const Resource& resource,
                                               const LockOwner& owner,
                                               std::chrono::milliseconds limit) {
  Parameters parameters;
  parameters.text(resource.view()).text(owner.view());
  auto released = change(mariadb_sql::release_lease, parameters, limit);
  {
    const MutexLock lock(mutex_);
    ++releases_;
  }
  released_.notify_all();
  return released;
}

void MariadbLeaseTable::wait_for_release(const Resource& /*resource*/,
                                         std::chrono::milliseconds until_at_most) {
  const auto slice = clock_.wait_slice(clock_.now() + std::min(until_at_most, poll_interval));
  MutexLock lock(mutex_);
  const std::uint64_t seen = releases_;
  while (releases_ == seen) {
    if (released_.wait_for(lock, slice) == std::cv_status::timeout) return;
  }
}

}  // namespace mizan::mariadb
