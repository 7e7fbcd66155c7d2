// A replica that missed the last writes becomes the master while the old one still serves: two
// hold the lock at once. There are two holders, and one effect.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"
#include "prover/servers/redis_room.hpp"
#include "testkit/eventually.hpp"

#include <string>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds short_ttl{2'000};
constexpr std::chrono::milliseconds ttl{30'000};

/// A replica that has what the master had, and hears no more of it.
std::unique_ptr<testkit::RedisServer> cut_off_replica(Run& run,
                                                      const testkit::RedisServer& master) {
  auto replica =
      start_redis(run, {.settings = {{"replicaof", "127.0.0.1 " + std::to_string(master.port())}}});
  if (replica == nullptr) return nullptr;
  const bool synced = testkit::eventually([&replica] {
    const auto counters = replica->ask({"KEYS", "*:counter"});
    return counters && !counters->empty();
  });
  run.expect(synced, "the replica never got the data");
  command_redis(run, *replica, {"REPLICAOF", "127.0.0.1", "1"});
  return replica;
}

void fail_over_with(Run& run, Strategy strategy) {
  const auto master = start_redis(run, {.settings = {{"repl-diskless-sync-delay", "0"}}});
  if (master == nullptr) return;
  auto bench = open_shop(run, strategy);
  if (bench == nullptr) return;
  RedisHolder first(run, {options_for(*master), *bench, 1});
  if (!first.acquire(ttl)) return;
  first.lease().release();
  const auto replica = cut_off_replica(run, *master);
  if (replica == nullptr) return;
  for (int unseen = 0; unseen < 3; ++unseen) {
    if (first.acquire(ttl) && unseen < 2) first.lease().release();
  }
  command_redis(run, *replica, {"REPLICAOF", "NO", "ONE"});
  RedisHolder second(run, {options_for(*replica), *bench, 2});
  if (!second.acquire(ttl)) return;
  const bool both = first.lease().remaining().count() > 0 && second.lease().remaining().count() > 0;
  run.sometimes("two held the lock at once", both ? 1 : 0);

  const Code done = first.pay("settle", "supplier", 30);
  const Code again = second.pay("settle", "supplier", 30);
  const Code newer = second.pay("settle-second", "landlord", 30);
  const Code other = first.pay("settle-first", "landlord", 30);
  judge_bench(run, label(strategy, "two holders"), *bench);
  run.expect(done == Code::applied && newer == Code::applied,
             label(strategy, "a holder was refused that nothing newer had overtaken"));
  run.expect(again == Code::already_applied,
             label(strategy, "the same operation again: " + std::string(to_string(again))));
  run.expect(other == Code::stale_fence,
             label(strategy, "another operation: " + std::string(to_string(other))));
  run.sometimes("the old master's holder was fenced", other == Code::stale_fence ? 1 : 0);
}

/// The user's Sentinels: they promote a replica, which may have seen everything. What it has is
/// none of the old master's incarnation, so whoever comes later gets a token of a new epoch.
void fail_theirs_over(Run& run) {
  const auto redis = run.fresh_redis();
  if (!redis) return run.could_not_run(redis.error());
  auto bench = open_shop(run, Strategy::batched);
  if (bench == nullptr) return;
  RedisHolder first(run, {*redis, *bench, 1});
  if (!first.acquire(short_ttl)) return;
  const auto before = name_master(*redis);
  if (!before) return run.could_not_run(before.error());
  if (const Status begun = fail_over(*redis); !begun) return run.could_not_run(begun.error());
  const bool changed = testkit::eventually(
      [&] {
        const auto now = name_master(*redis);
        return now && *now != *before;
      },
      std::chrono::seconds{60});
  run.sometimes("the Sentinels named another master", changed ? 1 : 0);
  RedisHolder second(run, {*redis, *bench, 2});
  if (!changed || !second.acquire(ttl)) return;
  run.expect(second.lease().token() > first.lease().token(), "the token went back");
  const Code done = second.pay("settle", "supplier", 30);
  const Code again = first.pay("settle", "supplier", 30);
  const Code other = first.pay("settle-first", "landlord", 30);
  judge_bench(run, "two holders", *bench);
  run.expect(done == Code::applied, "the holder was refused: " + std::string(to_string(done)));
  run.expect(again == Code::already_applied,
             "the same operation again: " + std::string(to_string(again)));
  run.expect(other == Code::stale_fence, "another operation: " + std::string(to_string(other)));
  run.sometimes("the old master's holder was fenced", other == Code::stale_fence ? 1 : 0);
  run.note("your Sentinels were made to fail over, from " + *before +
           "; --lab cuts a replica off from the last writes, which is worse");
}

bool are_theirs_to_fail_over(const Run& run) {
  if (run.lock().kind != LockKind::redis || !run.lock().allow_destructive) return false;
  const auto redis = run.fresh_redis();
  return redis && redis->topology == RedisTopology::sentinel;
}

void run_redis_failover(Run& run) {
  if (are_theirs_to_fail_over(run)) return fail_theirs_over(run);
  if (!may_use_private_redis(run,
                             "it promotes a replica, by Sentinels (--lock redis+sentinel://… and "
                             "--allow-destructive) or among servers of its own:")) {
    return;
  }
  for (const Strategy strategy : run.strategies()) fail_over_with(run, strategy);
  run.contrast("a counter in Redis alone goes back with the replica: both holders pay");
}

}  // namespace

Scenario redis_failover() {
  return {"redis-failover",
          "a replica that missed writes becomes master: two holders, one effect",
          {{"claim-forgets", "I6"}, {"fence-not-advanced", "I8"}},
          run_redis_failover};
}

}  // namespace mizan::prover
