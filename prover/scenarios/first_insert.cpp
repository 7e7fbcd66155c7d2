// Fifty first operations at once on a wallet that does not exist yet: each creates it or gets it,
// then pays in.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <atomic>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::size_t clients = 50;

/// Create-or-get, then the deposit.
void first_operation(Bench& bench,
                     std::size_t index,
                     std::atomic<std::size_t>& made,
                     std::atomic<std::size_t>& failures) {
  NewWallet wallet;
  wallet.id = WalletId{"new"};
  wallet.currency = CurrencyCode{"EUR"};
  const auto created = bench.ledger(index % 2).create_wallet(wallet);
  if (!created) {
    ++failures;
    return;
  }
  if (!created->existed) ++made;
  const auto deposit = testkit::deposit("first-" + std::to_string(index), "new", 1);
  if (code_of_answer(bench.apply(ask(index + 1, deposit), index % 2)) != Code::applied) {
    ++failures;
  }
}

void insert_with(Run& run, Strategy strategy) {
  auto bench = open_bench(run, strategy, 2);
  if (bench == nullptr) return;
  std::atomic<std::size_t> made{0};
  std::atomic<std::size_t> failures{0};
  in_parallel(clients, [&](std::size_t index) { first_operation(*bench, index, made, failures); });
  judge_bench(run, label(strategy, "50 clients"), *bench);
  run.expect(made == 1, label(strategy, std::to_string(made) + " clients made the wallet"));
  run.expect(failures == 0,
             label(strategy, std::to_string(failures) + " of 50 first operations failed"));
  const auto evidence = bench->collect();
  if (!evidence) return run.could_not_run(evidence.error());
  const bool right = evidence->image.wallets.size() == 1 &&
                     evidence->image.wallets.front().balance == MinorUnits{50};
  run.expect(right, label(strategy, "there is not one wallet with 50"));
}

void run_first_insert(Run& run) {
  for (const Strategy strategy : run.strategies()) insert_with(run, strategy);
  run.contrast("check-then-insert: duplicate wallets, or 49 clients with the database's complaint");
}

}  // namespace

Scenario first_insert() {
  return {"first-insert",
          "fifty parallel first operations on a wallet that does not exist yet",
          {{"insert-surfaces", "expected"}},
          run_first_insert};
}

}  // namespace mizan::prover
