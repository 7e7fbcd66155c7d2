// Redis loses its data while a lease is held, then restarts empty, then comes back with an older
// snapshot: tokens go on above all that were granted, and the holder from before is fenced.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"
#include "prover/servers/redis_room.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds ttl{30'000};

/// A few grants, so that a counter that starts again is far below.
void grant_some(RedisHolder& holder) {
  for (int grant = 0; grant < 5; ++grant) {
    if (holder.acquire(ttl)) holder.lease().release();
  }
}

/// Another holder acquires after the loss and pays; what it is answered.
Code pay_after_loss(Run& run, const RedisHolder::Place& place, const std::string& id) {
  RedisHolder holder(run, place);
  if (!holder.acquire(ttl)) return Code::internal;
  const Code answer = holder.pay(id, "landlord", 10);
  holder.lease().release();
  return answer;
}

void expect_answers(Run& run, Strategy strategy, const std::vector<Code>& after, Code zombie) {
  for (const Code answer : after) {
    run.expect(
        answer == Code::applied,
        label(strategy, "a holder after a loss was answered " + std::string(to_string(answer))));
  }
  run.expect(
      zombie == Code::stale_fence,
      label(strategy, "the holder from before was answered " + std::string(to_string(zombie))));
  run.sometimes("a holder from before the loss was fenced", zombie == Code::stale_fence ? 1 : 0);
}

void flush_with(Run& run, Strategy strategy, testkit::RedisServer& server) {
  auto bench = open_shop(run, strategy);
  if (bench == nullptr) return;
  const auto kept = server.directory() / "kept.rdb";
  const auto dump = server.directory() / "dump.rdb";
  const RedisOptions redis = options_for(server);
  RedisHolder old(run, {redis, *bench, 1});
  command_redis(run, server, {"SAVE"});
  std::filesystem::copy_file(dump, kept, std::filesystem::copy_options::overwrite_existing);
  grant_some(old);
  if (!old.acquire(ttl)) return;

  command_redis(run, server, {"FLUSHALL"});
  const Code flushed = pay_after_loss(run, {redis, *bench, 2}, "after-flush");
  const Code zombie = old.pay("from-before", "supplier", 60);
  server.kill();
  std::filesystem::remove(dump);
  if (const Status up = server.start_again(); !up) return run.could_not_run(up.error());
  const Code restarted = pay_after_loss(run, {redis, *bench, 3}, "after-restart");
  server.kill();
  std::filesystem::copy_file(kept, dump);
  if (const Status up = server.start_again(); !up) return run.could_not_run(up.error());
  const Code restored = pay_after_loss(run, {redis, *bench, 4}, "after-restore");

  judge_bench(run, label(strategy, "three losses"), *bench);
  expect_answers(run, strategy, {flushed, restarted, restored}, zombie);
}

/// On the user's Redis: what can be done to it without restarting it.
void flush_theirs_with(Run& run, Strategy strategy) {
  auto bench = open_shop(run, strategy);
  const auto redis = run.fresh_redis();
  if (!redis) return run.could_not_run(redis.error());
  if (bench == nullptr) return;
  RedisHolder old(run, {*redis, *bench, 1});
  grant_some(old);
  if (!old.acquire(ttl)) return;
  if (const Status flushed = command_masters(*redis, {"FLUSHALL"}); !flushed) {
    return run.could_not_run(flushed.error());
  }
  const Code after = pay_after_loss(run, {*redis, *bench, 2}, "after-flush");
  const Code zombie = old.pay("from-before", "supplier", 60);
  judge_bench(run, label(strategy, "a flush"), *bench);
  expect_answers(run, strategy, {after}, zombie);
  run.note("your Redis was emptied and not restarted; --lab does that too");
}

void run_redis_flushed(Run& run) {
  run.contrast(
      "a counter in Redis alone starts again at 1: the holder from before beats every later one");
  if (run.lock().kind == LockKind::redis && run.lock().allow_destructive) {
    for (const Strategy strategy : run.strategies()) flush_theirs_with(run, strategy);
    return;
  }
  if (!may_use_private_redis(run,
                             "it would empty your Redis (FLUSHALL): pass --allow-destructive, or"))
    return;
  for (const Strategy strategy : run.strategies()) {
    const auto server = start_redis(run);
    if (server == nullptr) return;
    flush_with(run, strategy, *server);
  }
}

}  // namespace

Scenario redis_flushed() {
  return {"redis-flushed",
          "Redis loses its data, restarts empty, comes back with an older snapshot",
          {{"epochs-forgotten", "I8"}, {"fence-not-advanced", "I8"}},
          run_redis_flushed};
}

}  // namespace mizan::prover
