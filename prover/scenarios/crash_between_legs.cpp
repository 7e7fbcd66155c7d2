// The process that owns the store is killed (SIGKILL) at every step of a transfer of two legs.
// After reopening there is either all of it or nothing, and a retry completes it once.

#include "prover/naive/bank.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/crashes.hpp"

#include <array>
#include <string>

namespace mizan::prover {

namespace {

/// Six from the shop to the supplier, one of them on to the tax office.
Operation two_legs(const std::string& id) {
  return testkit::transfer(id, {{"shop", "supplier", 6}, {"supplier", "tax", 1}});
}

void crash_at(Run& run, CrashSite& site, std::string_view step, const std::string& id) {
  const bool reached = site.kill_at(step, ask(1, two_legs(id)));
  run.sometimes("killed at " + std::string(step), reached ? 1 : 0);
}

void crash_everywhere(Run& run, Strategy strategy) {
  constexpr std::array<std::string_view, 5> steps{
      "begun", "claimed", "operations_recorded", "wallets_written", "before_commit"};
  const std::vector<WalletId> wallets{WalletId{"shop"}, WalletId{"supplier"}, WalletId{"tax"}};
  CrashSite site(run, strategy);
  if (!site.start() || !site.set_up({"shop", "supplier", "tax"})) return;
  for (const std::string_view step : steps) {
    // On a server what is cached is written without asking: only a new process asks who is known.
    if (step == "claimed") {
      site.kill();
      if (!site.start()) return;
    }
    const std::string id = "pay-" + std::string(step);
    crash_at(run, site, step, id);
    if (!site.start()) return;
    const Code again = code_of_answer(site.crew().apply(ask(1, two_legs(id))));
    run.expect(
        again == Code::applied,
        label(strategy, std::string(step) + ": the retry was ") + std::string(to_string(again)));
  }
  site.kill();
  site.judge(to_string(strategy), 100, wallets);
}

/// The mutant commits after the first leg; the crash comes right then.
void crash_the_mutant(Run& run) {
  CrashSite site(run, Strategy::batched);
  if (!site.start() || !site.set_up({"shop", "supplier", "tax"})) return;
  crash_at(run, site, "between_legs", "pay-half");
  site.judge("after the crash", 100, {WalletId{"shop"}, WalletId{"supplier"}, WalletId{"tax"}});
}

struct NaiveCrash {
  std::int64_t lost = 0;
  bool violated = false;
};

/// Debit and credit without a transaction, killed between them.
NaiveCrash crash_naively(Run& run) {
  const auto file = run.fresh_path(".naive.db");
  naive::Bank bank(file);
  bank.create_tables();
  bank.create_wallet("shop", 100);
  bank.create_wallet("supplier", 0);
  auto child = Child::start({"--as-naive", file.string()});
  if (!child) {
    run.could_not_run(child.error());
    return {};
  }
  static_cast<void>(child->receive());
  const auto reached = child->exchange("two-steps pay shop supplier 60");
  child->kill();
  History history;
  const auto funding = history.invoke(ask(0, testkit::deposit("fund-shop", "shop", 100)));
  history.end(funding, Result<Outcome>(Outcome{Applied{}}));
  history.invoke(ask(1, testkit::transfer("pay", "shop", "supplier", 60)));
  Evidence evidence;
  evidence.calls = history.calls();
  evidence.calls.front().receipt.reset();
  evidence.image = bank.image(system_clock().wall_now());
  Reading reading;
  reading.expected_sum = 100;
  for (const WalletImage& wallet : evidence.image.wallets) reading.sum += wallet.balance.value();
  evidence.readings.push_back(reading);
  if (run.is_mutant()) run.judge("naive", evidence);
  if (!reached) run.could_not_run(reached.error());
  const auto sum = static_cast<std::int64_t>(reading.sum);
  return {100 - sum, !check_conservation(evidence).violations.empty()};
}

void run_crash_between_legs(Run& run) {
  if (run.mutant() == "naive-two-writes") {
    static_cast<void>(crash_naively(run));
    return;
  }
  if (run.mutant() == "commit-in-the-middle") return crash_the_mutant(run);
  for (const Strategy strategy : run.strategies()) crash_everywhere(run, strategy);
  if (run.is_mutant()) return;
  const NaiveCrash naive = crash_naively(run);
  run.sometimes("the naive program lost money", naive.violated ? 1 : 0);
  run.contrast("naive: killed between debit and credit, " + std::to_string(naive.lost) + " gone");
}

}  // namespace

Scenario crash_between_legs() {
  return {"crash-between-legs",
          "kill -9 at every step between the writes: all or nothing",
          {{"naive-two-writes", "I1"}, {"commit-in-the-middle", "I5"}},
          run_crash_between_legs};
}

}  // namespace mizan::prover
