// Redis loses its data while a lease is held, then restarts empty, then comes back with an older
// snapshot: tokens go on above all that were granted, and the holder from before is fenced.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"

#include <filesystem>
#include <string>

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

void flush_with(Run& run, Strategy strategy, testkit::RedisServer& server) {
  auto bench = open_shop(run, strategy);
  if (bench == nullptr) return;
  const auto kept = server.directory() / "kept.rdb";
  const auto dump = server.directory() / "dump.rdb";
  RedisHolder old(run, {server, *bench, 1});
  command_redis(run, server, {"SAVE"});
  std::filesystem::copy_file(dump, kept, std::filesystem::copy_options::overwrite_existing);
  grant_some(old);
  if (!old.acquire(ttl)) return;

  command_redis(run, server, {"FLUSHALL"});
  const Code flushed = pay_after_loss(run, {server, *bench, 2}, "after-flush");
  const Code zombie = old.pay("from-before", "supplier", 60);
  server.kill();
  std::filesystem::remove(dump);
  if (const Status up = server.start_again(); !up) return run.could_not_run(up.error());
  const Code restarted = pay_after_loss(run, {server, *bench, 3}, "after-restart");
  server.kill();
  std::filesystem::copy_file(kept, dump);
  if (const Status up = server.start_again(); !up) return run.could_not_run(up.error());
  const Code restored = pay_after_loss(run, {server, *bench, 4}, "after-restore");

  judge_bench(run, label(strategy, "three losses"), *bench);
  for (const Code answer : {flushed, restarted, restored}) {
    run.expect(
        answer == Code::applied,
        label(strategy, "a holder after a loss was answered " + std::string(to_string(answer))));
  }
  run.expect(
      zombie == Code::stale_fence,
      label(strategy, "the holder from before was answered " + std::string(to_string(zombie))));
  run.sometimes("a holder from before the loss was fenced", zombie == Code::stale_fence ? 1 : 0);
}

void run_redis_flushed(Run& run) {
  for (const Strategy strategy : run.strategies()) {
    const auto server = start_redis(run);
    if (server == nullptr) return;
    flush_with(run, strategy, *server);
  }
  run.contrast(
      "a counter in Redis alone starts again at 1: the holder from before beats every later one");
}

}  // namespace

Scenario redis_flushed() {
  return {"redis-flushed",
          "Redis loses its data, restarts empty, comes back with an older snapshot",
          {{"epochs-forgotten", "I8"}, {"fence-not-advanced", "I8"}},
          run_redis_flushed};
}

}  // namespace mizan::prover
