#include "store/sqlite/lease_table.hpp"

#include "base/no_token_left.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::sqlite {
namespace {

/// A renewal that waits for longer than this comes too late for most leases anyway.
constexpr std::chrono::seconds turn_wait{10};

}  // namespace

Result<WriteScope> SqliteLeaseTable::begin(std::chrono::milliseconds limit) {
  if (writer_ == nullptr) {
    return invalid_request("sqlite: lease", "the file was opened for reading only");
  }
  return writer_->begin(clock_.now() + std::min<std::chrono::milliseconds>(turn_wait, limit));
}

Result<LeaseAttempt> SqliteLeaseTable::acquire(const Resource& resource,
                                               const LockOwner& owner,
                                               std::chrono::milliseconds ttl) {
  return acquire_within(resource, owner, ttl, turn_wait);
}

Result<LeaseAttempt> SqliteLeaseTable::acquire_within(const Resource& resource,
                                                      const LockOwner& owner,
                                                      std::chrono::milliseconds ttl,
                                                      std::chrono::milliseconds limit) {
  auto scope = begin(limit);
  if (!scope) return scope.error();
  Connection& connection = scope->connection();
  const Timestamp now = clock_.wall_now();
  std::optional<FenceToken> token;
  {
    Statement row = connection.statement(sqlite_sql::acquire_lease);
    row.bind(1, resource.view())
        .bind(2, owner.view())
        .bind(3, to_integer(now))
        .bind(4, to_integer(now + ttl));
    auto granted = row.step();
    if (!granted) return granted.error();
    if (*granted) token = FenceToken{row.integer(0)};
  }
  if (token) {
    if (Status committed = scope->commit(); !committed) return committed.error();
    return LeaseAttempt(LeaseGranted{*token, ttl});
  }
  Statement row = connection.statement(sqlite_sql::find_lease);
  row.bind(1, resource.view());
  auto found = row.step();
  if (!found) return found.error();
  const auto left = (*found ? row.time(0) : Timestamp()) - now;
  if (left <= left.zero()) return no_token_left(resource);
  // Rounded up: whoever waits that long finds it expired.
  return LeaseAttempt(LeaseHeld{std::chrono::ceil<std::chrono::milliseconds>(left)});
}

Result<bool> SqliteLeaseTable::change(std::string_view sql,
                                      const Resource& resource,
                                      const LockOwner& owner,
                                      std::optional<std::chrono::milliseconds> ttl) {
  auto scope = begin(turn_wait);
  if (!scope) return scope.error();
  const Timestamp now = clock_.wall_now();
  {
    Statement statement = scope->connection().statement(sql);
    statement.bind(1, resource.view()).bind(2, owner.view()).bind(3, to_integer(now));
    if (ttl) statement.bind(4, to_integer(now + *ttl));
    if (Status ran = statement.run(); !ran) return ran.error();
  }
  if (scope->connection().changes() != 1) return false;
  if (Status committed = scope->commit(); !committed) return committed.error();
  return true;
}

Result<bool> SqliteLeaseTable::renew(const Resource& resource,
                                     const LockOwner& owner,
                                     std::chrono::milliseconds ttl) {
  return change(sqlite_sql::renew_lease, resource, owner, ttl);
}

Result<bool> SqliteLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  auto released = change(sqlite_sql::release_lease, resource, owner, std::nullopt);
  {
    const MutexLock lock(mutex_);
    ++releases_;
  }
  released_.notify_all();
  return released;
}

void SqliteLeaseTable::wait_for_release(const Resource& /*resource*/,
                                        std::chrono::milliseconds until_at_most) {
  // One slice is enough: who waits asks the table again, and waits again.
  const auto slice = clock_.wait_slice(clock_.now() + until_at_most);
  MutexLock lock(mutex_);
  const std::uint64_t seen = releases_;
  while (releases_ == seen) {
    if (released_.wait_for(lock, slice) == std::cv_status::timeout) return;
  }
}

}  // namespace mizan::sqlite
