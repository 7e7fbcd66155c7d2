#include "lock/redis/redis_lease_table.hpp"

#include "base/raisable_tokens.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "lock/redis/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace mizan::redis {
namespace {

using std::chrono::milliseconds;

constexpr int rounds_max = 5;

/// The options have limits of their own.
constexpr milliseconds no_limit = std::chrono::hours{1};

/// What a thread had heard when it last tried, for the waiting that follows.
struct LastTry {
  const void* table = nullptr;
  std::size_t bucket = 0;
  std::uint64_t heard = 0;
};

thread_local LastTry last_try;

Error not_understood(std::string_view script) {
  return internal_error("redis: " + std::string(script),
                        "the answer is not the script's; is something else using its keys?");
}

/// See lua/renew.lua.
Result<Renewal> read_renewal(std::int64_t answer) {
  switch (answer) {
    case 1:
      return Renewal::extended;
    case 0:
      return Renewal::expired;
    case -1:
      return Renewal::taken;
    case -2:
      return Renewal::epoch_changed;
    case -3:
      return Renewal::server_incarnation;
    default:
      return not_understood(renew_script.name);
  }
}

std::optional<std::int64_t> read_number(const Reply& reply, std::int64_t greatest) {
  const auto number = parse_unsigned(reply.text);
  if (!number || *number > static_cast<std::uint64_t>(greatest)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace

Result<RedisLeaseTable::Answer> RedisLeaseTable::read_answer(const Reply& reply,
                                                             const Place& place) {
  const std::string_view kind = reply.items.empty() ? "" : std::string_view(reply.items[0].text);
  if (kind == "held" && reply.items.size() == 2) {
    // Less than 0: a key without an end, which is none of ours. Somebody will have to delete it.
    const std::int64_t left = reply.items[1].integer;
    return Answer(LeaseAttempt(LeaseHeld{milliseconds{left < 0 ? 1'000 : left}}));
  }
  if (reply.items.size() != 3) return not_understood(acquire_script.name);
  const auto epoch = read_number(reply.items[1], epoch_max);
  if (!epoch) return not_understood(acquire_script.name);
  if (kind == "epoch") return Answer(EpochNeeded{*epoch, reply.items[2].text});
  const auto sequence = read_number(reply.items[2], sequence_max);
  if (kind != "granted" || !sequence || *sequence == 0 || *epoch == 0) {
    return not_understood(acquire_script.name);
  }
  const Mark mark{*epoch, *sequence};
  seen_.note(place.bucket, mark);
  return Answer(LeaseAttempt(LeaseGranted{to_token(mark), milliseconds::max()}));
}

Result<RedisLeaseTable::Answer> RedisLeaseTable::ask_for_lease(const Wanted& wanted) {
  const Mark seen = seen_.of(wanted.place.bucket);
  const std::string ttl = std::to_string(wanted.ttl.count());
  const std::string epoch = std::to_string(seen.epoch);
  const std::string sequence = std::to_string(seen.sequence);
  const std::string nonce = fmt::format("{:016x}", system_random().next());
  const std::string greatest = std::to_string(sequence_max);
  const std::array<std::string_view, 2> keys{wanted.place.lease, wanted.place.counter};
  const std::array<std::string_view, 6> arguments{
      wanted.owner.view(), ttl, epoch, sequence, nonce, greatest};
  auto reply =
      run_script(servers_, acquire_script, {wanted.place.slot, keys, arguments, wanted.deadline});
  if (!reply) return std::move(reply).error();
  auto answer = read_answer(*reply, wanted.place);
  if (!answer) return answer;
  if (auto* needed = std::get_if<EpochNeeded>(&*answer)) {
    needed->above = std::max(needed->above, seen.epoch);
  } else if (auto* granted = std::get_if<LeaseGranted>(&std::get<LeaseAttempt>(*answer))) {
    granted->remaining = wanted.ttl;
  }
  return answer;
}

Result<LeaseAttempt> RedisLeaseTable::acquire(const Resource& resource,
                                              const LockOwner& owner,
                                              milliseconds ttl) {
  return acquire_within(resource, owner, ttl, no_limit);
}

Result<LeaseAttempt> RedisLeaseTable::acquire_within(const Resource& resource,
                                                     const LockOwner& owner,
                                                     milliseconds ttl,
                                                     std::chrono::milliseconds limit) {
  const Place place = place_of(prefix_, resource);
  last_try = {this, place.bucket, listener_.heard(place.bucket)};
  const Wanted wanted{place, owner, ttl, system_clock().now() + limit};
  for (int round = 0; round < rounds_max; ++round) {
    auto answer = ask_for_lease(wanted);
    if (!answer) return std::move(answer).error();
    if (auto* attempt = std::get_if<LeaseAttempt>(&*answer)) return *attempt;
    if (Status healed = heal(wanted); !healed) return std::move(healed).error();
  }
  return unavailable("redis: epoch", "the counter was lost again while it was set up; try again");
}

Status RedisLeaseTable::heal(const Wanted& wanted) {
  const MutexLock lock(healing_[wanted.place.bucket]);
  // Whoever waited for another thread's healing finds it done, and asks only to see that.
  auto answer = ask_for_lease(wanted);
  if (!answer) return std::move(answer).error();
  const auto* needed = std::get_if<EpochNeeded>(&*answer);
  if (needed == nullptr) return {};
  return install(wanted, *needed);
}

Status RedisLeaseTable::install(const Wanted& wanted, const EpochNeeded& needed) {
  // The floor by the clock: a database that was restored from a backup does not repeat epochs.
  const std::int64_t by_clock = clock_epoch(system_clock().wall_now()) - 1;
  const auto left = std::chrono::ceil<milliseconds>(wanted.deadline - system_clock().now());
  if (left <= milliseconds::zero()) {
    return unavailable("redis: epoch", "no time was left to draw one from the database");
  }
  auto epoch = epochs_.next_epoch_within(std::max(needed.above, by_clock), left);
  if (!epoch) return std::move(epoch).error();
  if (*epoch > epoch_max) {
    return internal_error("redis: epoch", "the database has no epoch left that fits a token");
  }
  const std::string text = std::to_string(*epoch);
  const std::array<std::string_view, 1> keys{wanted.place.counter};
  const std::array<std::string_view, 2> arguments{text, needed.marker};
  auto reply = run_script(
      servers_, install_epoch_script, {wanted.place.slot, keys, arguments, wanted.deadline});
  if (!reply) return without_doubt(std::move(reply).error());
  return {};  // Not installed: somebody else did it meanwhile, or it is to be done again.
}

Result<bool> RedisLeaseTable::renew(const Resource& resource,
                                    const LockOwner& owner,
                                    milliseconds ttl) {
  const auto answer = extend(resource, owner, ttl);
  if (!answer) return answer.error();
  return *answer == Renewal::extended;
}

Result<bool> RedisLeaseTable::renew_within(const Resource& resource,
                                           const LockOwner& owner,
                                           milliseconds ttl,
                                           milliseconds limit) {
  const auto answer = extend_until(resource, owner, ttl, system_clock().now() + limit);
  if (!answer) return answer.error();
  return *answer == Renewal::extended;
}

Result<Renewal> RedisLeaseTable::extend(const Resource& resource,
                                        const LockOwner& owner,
                                        milliseconds ttl) {
  return extend_until(resource, owner, ttl, Deadline::max());
}

Result<Renewal> RedisLeaseTable::extend_until(const Resource& resource,
                                              const LockOwner& owner,
                                              milliseconds ttl,
                                              Deadline deadline) {
  const Place place = place_of(prefix_, resource);
  const std::string time = std::to_string(ttl.count());
  const std::array<std::string_view, 2> keys{place.lease, place.counter};
  const std::array<std::string_view, 2> arguments{owner.view(), time};
  auto reply = run_script(servers_, renew_script, {place.slot, keys, arguments, deadline});
  if (!reply) return std::move(reply).error();
  return read_renewal(reply->integer);
}

Result<bool> RedisLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  return release_until(resource, owner, Deadline::max());
}

Result<bool> RedisLeaseTable::release_within(const Resource& resource,
                                             const LockOwner& owner,
                                             milliseconds limit) {
  return release_until(resource, owner, system_clock().now() + limit);
}

Result<bool> RedisLeaseTable::release_until(const Resource& resource,
                                            const LockOwner& owner,
                                            Deadline deadline) {
  const Place place = place_of(prefix_, resource);
  const std::string channel = channel_of(prefix_, place.bucket);
  const std::array<std::string_view, 1> keys{place.lease};
  const std::array<std::string_view, 3> arguments{owner.view(), channel, resource.view()};
  auto reply = run_script(servers_, release_script, {place.slot, keys, arguments, deadline});
  if (!reply) return std::move(reply).error();
  return reply->integer == 1;
}

bool RedisLeaseTable::raise_above(const Resource& resource, FenceToken newest) {
  if (newest.value() >= raised_token_max) return false;
  seen_.note(bucket_of(resource), to_mark(newest));
  return true;
}

void RedisLeaseTable::wait_for_release(const Resource& resource, milliseconds until_at_most) {
  const std::size_t bucket = bucket_of(resource);
  const bool tried = last_try.table == this && last_try.bucket == bucket;
  listener_.wait(bucket, tried ? last_try.heard : listener_.heard(bucket), until_at_most);
}

}  // namespace mizan::redis
