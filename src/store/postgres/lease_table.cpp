#include "store/postgres/lease_table.hpp"

#include "base/no_token_left.hpp"
#include "store/postgres/error_map.hpp"
#include "store/postgres/postgres_sql.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace mizan::postgres {
namespace {

/// An answer that comes later is of no use to most leases.
constexpr std::chrono::seconds patience{10};

/// Another process may have released the resource: nobody waits for longer without asking again.
constexpr std::chrono::milliseconds poll_interval{50};

std::int64_t microseconds(std::chrono::milliseconds time) {
  return std::chrono::microseconds(time).count();
}

Parameters lease_of(const Resource& resource, const LockOwner& owner) {
  Parameters parameters;
  parameters.text(resource.view()).text(owner.view());
  return parameters;
}

/// The statements are a transaction of their own, which the server commits behind the last: once
/// the link is lost nobody can tell whether it did.
Error failure_of(const Connection& connection, Error error) {
  if (connection.is_lost()) return map_commit_error(connection.failure());
  return error;
}

}  // namespace

Result<LeaseAttempt> PostgresLeaseTable::acquire(const Resource& resource,
                                                 const LockOwner& owner,
                                                 std::chrono::milliseconds ttl) {
  return acquire_within(resource, owner, ttl, patience);
}

Result<LeaseAttempt> PostgresLeaseTable::acquire_within(const Resource& resource,
                                                        const LockOwner& owner,
                                                        std::chrono::milliseconds ttl,
                                                        std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + std::min<std::chrono::milliseconds>(patience, limit);
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Connection& connection = lent->connection();
  // A token that was granted must not be forgotten, whatever the server's default is.
  Parameters limits;
  const auto time_left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.now());
  const auto time_text = std::to_string(std::max<std::int64_t>(time_left.count(), 1));
  limits.text(time_text).text(time_text);
  connection.send(postgres_sql::set_limits, limits);
  Parameters parameters = lease_of(resource, owner);
  parameters.integer(microseconds(ttl));
  connection.send(postgres_sql::acquire_lease, parameters);
  Parameters asked;
  asked.text(resource.view());
  connection.send(postgres_sql::find_lease, asked);
  auto answers = connection.run(deadline);
  if (!answers) return failure_of(connection, std::move(answers).error());
  const Answer& granted = (*answers)[1];
  if (!granted.empty()) {
    return LeaseAttempt(LeaseGranted{FenceToken{Row(granted, 0).integer(0)}, ttl});
  }
  const Answer& held = answers->back();
  const std::chrono::microseconds left(held.empty() ? 0 : Row(held, 0).integer(0));
  if (left.count() > 0) {
    // Rounded up: whoever waits that long finds it expired.
    return LeaseAttempt(LeaseHeld{std::chrono::ceil<std::chrono::milliseconds>(left)});
  }
  const bool is_used_up = held.empty() || Row(held, 0).integer(1) == greatest_token.value();
  if (is_used_up) return no_token_left(resource);
  // It ended between the two statements.
  return LeaseAttempt(LeaseHeld{std::chrono::milliseconds(1)});
}

Result<bool> PostgresLeaseTable::change(std::string_view statement,
                                        const Parameters& parameters,
                                        std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + std::min<std::chrono::milliseconds>(patience, limit);
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  auto answer = lent->connection().ask(statement, parameters, deadline);
  if (!answer) return failure_of(lent->connection(), std::move(answer).error());
  return answer->affected() == 1;
}

Result<bool> PostgresLeaseTable::renew(const Resource& resource,
                                       const LockOwner& owner,
                                       std::chrono::milliseconds ttl) {
  return renew_within(resource, owner, ttl, patience);
}

Result<bool> PostgresLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  return release_within(resource, owner, patience);
}

Result<bool> PostgresLeaseTable::renew_within(const Resource& resource,
                                              const LockOwner& owner,
                                              std::chrono::milliseconds ttl,
                                              std::chrono::milliseconds limit) {
  Parameters parameters = lease_of(resource, owner);
  parameters.integer(microseconds(ttl));
  return change(postgres_sql::renew_lease, parameters, limit);
}

Result<bool> PostgresLeaseTable::release_within(const Resource& resource,
                                                const LockOwner& owner,
                                                std::chrono::milliseconds limit) {
  auto released = change(postgres_sql::release_lease, lease_of(resource, owner), limit);
  {
    const MutexLock lock(mutex_);
    ++releases_;
  }
  released_.notify_all();
  return released;
}

void PostgresLeaseTable::wait_for_release(const Resource& /*resource*/,
                                          std::chrono::milliseconds until_at_most) {
  const auto slice = clock_.wait_slice(clock_.now() + std::min(until_at_most, poll_interval));
  MutexLock lock(mutex_);
  const std::uint64_t seen = releases_;
  while (releases_ == seen) {
    if (released_.wait_for(lock, slice) == std::cv_status::timeout) return;
  }
}

}  // namespace mizan::postgres
