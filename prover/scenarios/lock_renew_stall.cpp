// The renewal hangs and the work is longer than the lease: the holder is told in time, another
// one gets the lock, and what the first one writes afterwards is fenced.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"
#include "testkit/eventually.hpp"
#include "testkit/faulty_lease_table.hpp"

#include <string>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds short_ttl{300};
constexpr std::chrono::milliseconds long_ttl{30'000};

void stall(Run& run, RedisHolder& first, RedisHolder& second, testkit::FaultyLeaseTable& table) {
  table.inject_always(testkit::LeaseCall::renew, testkit::LeaseFault::hang);
  if (!first.acquire(short_ttl, true)) return;
  const bool hung = testkit::eventually([&table] { return table.hanging() > 0; });
  run.sometimes("a renewal hung", hung ? 1 : 0);
  if (!second.acquire(long_ttl)) return;
  run.expect(first.lease().lost().stop_requested(),
             "another one holds the lock and the first was not told");
  run.expect(first.lease().loss() == LeaseLoss::deadline, "it was told another reason");
  run.expect(second.pay("settle", "supplier", 40) == Code::applied, "the holder was refused");
  const Code late = first.pay("late", "landlord", 40);
  run.expect(late == Code::stale_fence, "the late one: " + std::string(to_string(late)));
  run.sometimes("the late one was fenced", late == Code::stale_fence ? 1 : 0);
  second.lease().release();
  table.heal();
  table.let_go();
  const auto again = table.renew(redis_resource, first.lease().owner(), long_ttl);
  run.expect(again && !*again, "a renewal after the end was answered as if it were held");
  run.expect(second.finds_it_free(), "a renewal after the end made a lease again");
}

void run_lock_renew_stall(Run& run) {
  const auto lock = LockPlace::open(run);
  if (lock == nullptr) return;
  auto bench = open_shop(run, Strategy::batched);
  if (bench == nullptr) return;
  RedisHolder second(run, *lock, *bench, 2);
  RedisHolder base(run, *lock, *bench, 0);
  testkit::FaultyLeaseTable table(base.table());
  {
    RedisHolder first(run, *lock, *bench, 1);
    first.use(table);
    stall(run, first, second, table);
    table.let_go();
  }
  judge_bench(run, "stalled renewal", *bench);
  run.contrast("a renewal that is trusted to work: paid twice when it stalls");
}

}  // namespace

Scenario lock_renew_stall() {
  return {"lock-renew-stall",
          "renewal hangs past the lease: the holder is told, and fenced",
          {{"fence-not-advanced", "I8"}, {"renewal-takes-again", "expected"}},
          run_lock_renew_stall};
}

}  // namespace mizan::prover
