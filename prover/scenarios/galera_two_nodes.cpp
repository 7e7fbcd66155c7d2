// One wallet, asked to pay at two nodes of a Galera cluster at the same moment. Row locks are a
// node's own, so nobody waits; who comes second is told so at its COMMIT.

#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::size_t clients = 20;
constexpr std::size_t affordable = 10;

bool needs_two_nodes(Run& run) {
  if (run.options().target.nodes.size() > 1) return true;
  run.skip("it takes two nodes of one cluster: pass --lab --engine galera");
  return false;
}

/// Two ledgers, each at a node of its own.
std::unique_ptr<Bench> open_at_two_nodes(Run& run, Strategy strategy, PointHook watch) {
  Bench::Options options;
  options.place = run.fresh_place();
  options.other_node = options.place;
  options.other_node->server = run.options().target.nodes.at(1);
  options.strategy = strategy;
  options.ledgers = 2;
  options.mutant = run.mutant();
  options.watch = std::move(watch);
  auto bench = Bench::open(options);
  if (bench) return std::move(*bench);
  run.could_not_run(bench.error());
  return nullptr;
}

void withdraw_with(Run& run, Strategy strategy) {
  // The first transaction of each node has written when either comes to its COMMIT.
  const auto both = std::make_shared<Rendezvous>(2);
  auto bench = open_at_two_nodes(run, strategy, [both](Point point, const OperationId& id) {
    if (point == Point::wrote && id.view().starts_with("take-")) both->meet(patience);
  });
  if (bench == nullptr || !set_up(run, *bench, {"hot"}, 100)) return;
  warm(*bench, "hot");
  std::atomic<std::size_t> applied{0};
  std::atomic<std::size_t> refused{0};
  in_parallel(clients, [&](std::size_t client) {
    const auto operation = testkit::withdraw("take-" + std::to_string(client), "hot", 10);
    const Code code = code_of_answer(bench->apply(ask(client + 1, operation), client % 2));
    if (code == Code::applied) ++applied;
    if (code == Code::insufficient_funds) ++refused;
  });
  judge_bench(run, label(strategy, "two nodes, 20 clients"), *bench);
  run.expect(applied == affordable && refused == clients - affordable,
             label(strategy,
                   std::to_string(applied) + " of 20 were applied, " + std::to_string(refused) +
                       " refused; ten each are right"));
  const std::uint64_t conflicts = bench->met().deadlocks + bench->other_met().deadlocks;
  run.sometimes("a node was told that the other one came before it", conflicts);
}

/// BEGIN, SELECT … FOR UPDATE, check, write, COMMIT: right on one server.
void withdraw_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"hot", 100}}, 1);
  if (sessions == nullptr) return;
  const std::array<naive::ServerBank*, 2> programs{&sessions->first(), &sessions->second()};
  std::array<bool, 2> done{};
  for (naive::ServerBank* program : programs) {
    program->run("SET SESSION wsrep_sync_wait = 1");
    program->run("BEGIN");
    if (program->lock_balance("hot") >= 10) program->set_balance("hot", "balance - 10");
  }
  for (std::size_t index = 0; index < 2; ++index) done.at(index) = programs.at(index)->commit();
  run.sometimes("the careless program's payment failed although there was money for both",
                done[0] != done[1] ? 1 : 0);
  run.contrast(
      "locked with FOR UPDATE at two nodes: nobody waits, and of two payments that both have the "
      "money one fails at its COMMIT");
}

void run_galera_two_nodes(Run& run) {
  if (!needs_two_nodes(run)) return;
  for (const Strategy strategy : run.strategies()) withdraw_with(run, strategy);
  if (!run.is_mutant()) withdraw_naively(run);
}

}  // namespace

Scenario galera_two_nodes() {
  return {"galera-two-nodes",
          "one wallet at two nodes of a Galera cluster: ten of twenty withdrawals, conflicts are "
          "run again",
          {{"conflict-surfaces", "expected"}},
          run_galera_two_nodes};
}

}  // namespace mizan::prover
