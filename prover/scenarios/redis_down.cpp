// Redis hangs, then is gone, then is back. The policy `fail` refuses, `proceed` goes on without
// the lock; the money is the same either way.

#include "mizan/redis.hpp"

#include "prover/mutants/redis_mutants.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/redis_ground.hpp"
#include "prover/servers/redis_room.hpp"
#include "testkit/eventually.hpp"

#include <string>
#include <utility>

namespace mizan::prover {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds timeout{200};
constexpr milliseconds deadline{600};
constexpr milliseconds bound{15'000};  // Generous: a busy machine is no failure.

/// One ledger per policy over the same store and the same lock.
class Shop {
 public:
  Shop(Run& run, RedisOptions options, Bench& bench) : bench_(bench) {
    options.connect_timeout = timeout;
    options.command_timeout = timeout;
    auto table = make_redis_lease_table(options, bench.store().epochs());
    if (!table) {
      run.could_not_run(table.error());
      return;
    }
    table_ = std::move(*table);
    mutated_ = make_redis_mutant(run.mutant(), *table_, options);
    LeaseTable& used = mutated_ ? *mutated_ : *table_;
    lock_ = make_lock_service("redis", used, system_clock());
    for (const LockOutage outage : {LockOutage::fail, LockOutage::proceed}) {
      LedgerOptions with;
      with.lock = lock_.get();
      with.lock_outage = outage;
      ledgers_.push_back(std::make_unique<Ledger>(bench.store(), system_clock(), with));
    }
  }

  Code pay(std::string_view id, LockOutage outage) {
    if (ledgers_.empty()) return Code::internal;
    const Operation operation = testkit::transfer(id, "shop", "supplier", 5);
    const auto number = bench_.history().invoke(ask(1, operation));
    Ledger& ledger = *ledgers_.at(outage == LockOutage::fail ? 0 : 1);
    CallOptions options;
    options.deadline = system_clock().now() + deadline;
    const auto answer = ledger.apply(operation, options);
    bench_.history().end(number, answer);
    return code_of_answer(answer);
  }

 private:
  Bench& bench_;
  std::unique_ptr<LeaseTable> table_;
  std::unique_ptr<LeaseTable> mutated_;
  std::unique_ptr<LockService> lock_;
  std::vector<std::unique_ptr<Ledger>> ledgers_;
};

void expect_answers(Run& run, Shop& shop, const std::string& when) {
  const Instant began_at = system_clock().now();
  const Code refused = shop.pay(when + "-fail", LockOutage::fail);
  const Code applied = shop.pay(when + "-proceed", LockOutage::proceed);
  const bool in_time = system_clock().now() - began_at < bound;
  run.expect(refused == Code::unavailable,
             when + ", policy fail: " + std::string(to_string(refused)));
  run.expect(applied == Code::applied,
             when + ", policy proceed: " + std::string(to_string(applied)));
  run.expect(in_time, when + ": the answers took too long");
  run.sometimes("refused without the lock", refused == Code::unavailable ? 1 : 0);
  run.sometimes("went on without the lock", applied == Code::applied ? 1 : 0);
}

/// The user's Redis: it answers nobody for a while, and comes back by itself.
void hold_theirs_up(Run& run) {
  const auto redis = run.fresh_redis();
  if (!redis) return run.could_not_run(redis.error());
  auto bench = open_shop(run, Strategy::batched);
  if (bench == nullptr) return;
  Shop shop(run, *redis, *bench);
  run.expect(shop.pay("up", LockOutage::fail) == Code::applied, "with the lock: not applied");
  if (const Status paused = command_masters(*redis, {"CLIENT", "PAUSE", "4000", "ALL"}); !paused) {
    return run.could_not_run(paused.error());
  }
  expect_answers(run, shop, "hangs");
  const bool back = testkit::eventually(
      [&shop] { return shop.pay("hangs-fail", LockOutage::fail) == Code::applied; });
  run.expect(back, "with Redis back, the refused operation is not applied under its id");
  judge_bench(run, "away and back", *bench);
  run.note("your Redis was held up and not stopped; --lab does that too");
}

void run_redis_down(Run& run) {
  run.contrast("a lock that must be there stops every payment; one that is made up fences nobody");
  if (run.lock().kind == LockKind::redis && run.lock().allow_destructive) {
    return hold_theirs_up(run);
  }
  if (!may_use_private_redis(
          run, "it would hold your Redis up (CLIENT PAUSE): pass --allow-destructive, or"))
    return;
  const auto server = start_redis(run);
  if (server == nullptr) return;
  auto bench = open_shop(run, Strategy::batched);
  if (bench == nullptr) return;
  Shop shop(run, options_for(*server), *bench);
  run.expect(shop.pay("up", LockOutage::fail) == Code::applied, "with the lock: not applied");
  server->freeze();
  expect_answers(run, shop, "hangs");
  server->thaw();
  server->kill();
  expect_answers(run, shop, "gone");
  if (const Status up = server->start_again(); !up) return run.could_not_run(up.error());
  const bool back = testkit::eventually(
      [&shop] { return shop.pay("gone-fail", LockOutage::fail) == Code::applied; });
  run.expect(back, "with Redis back, the refused operation is not applied under its id");
  judge_bench(run, "away and back", *bench);
}

}  // namespace

Scenario redis_down() {
  return {"redis-down",
          "Redis hangs, is gone, is back: refuse or go on, the money is the same",
          {{"grants-invented", "expected"}},
          run_redis_down};
}

}  // namespace mizan::prover
