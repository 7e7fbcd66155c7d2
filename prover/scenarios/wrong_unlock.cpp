// A holder outlives its lease and then gives the lock back: it must not be somebody else's.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"

#include <string>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds short_ttl{150};
constexpr std::chrono::milliseconds long_ttl{30'000};

void run_wrong_unlock(Run& run) {
  const auto lock = LockPlace::open(run);
  if (lock == nullptr) return;
  if (run.mutant() == "release-by-anyone" && !lock->redis()) {
    return run.skip("DEL is Redis's: pass --lock redis://…, or leave --lock out");
  }
  auto bench = open_shop(run, Strategy::batched);
  if (bench == nullptr) return;
  RedisHolder first(run, *lock, *bench, 1);
  RedisHolder second(run, *lock, *bench, 2);
  RedisHolder third(run, *lock, *bench, 3);
  if (!first.acquire(short_ttl)) return;
  const Lease& old = first.lease();
  const LockOwner owner = old.owner();
  if (!second.acquire(long_ttl)) return;  // Waits until the first one's time is over.
  run.sometimes("a holder outlived its lease", old.state() == LeaseState::lost ? 1 : 0);

  run.expect(first.lease().release() == Release::not_held, "a lost lease was given back");
  const auto by_owner = first.table().release(redis_resource, owner);
  run.expect(by_owner && !*by_owner, "the late release was answered as if it were the holder's");
  run.expect(!third.finds_it_free(), "the late release let a third one in beside the holder");
  const auto renewed = second.table().renew(redis_resource, second.lease().owner(), long_ttl);
  run.expect(renewed && *renewed, "the late release took the holder's lease away");
  run.expect(second.pay("settle", "supplier", 40) == Code::applied, "the holder was refused");
  run.expect(first.pay("late", "landlord", 40) == Code::stale_fence, "the late one was not fenced");
  judge_bench(run, "late release", *bench);
  run.contrast("release by DEL: the late one opens the lock of the next, and so on for ever");
}

}  // namespace

Scenario wrong_unlock() {
  return {"wrong-unlock",
          "a holder that outlived its lease releases: the next one's lock survives",
          {{"release-by-anyone", "expected"}, {"fence-not-advanced", "I8"}},
          run_wrong_unlock};
}

}  // namespace mizan::prover
