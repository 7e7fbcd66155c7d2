// A balance is read, another transaction commits, and what was computed from the old balance is
// written.

#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <memory>
#include <string>

namespace mizan::prover {

namespace {

/// The later one decides first and writes last.
struct Turns {
  Signal later_decided;
  Signal first_done;
};

/// Two withdrawals of one amount, the second overtaken between decision and write.
void overtake(Run& run, Bench& bench, Turns& turns, const std::string& name, std::int64_t amount) {
  const auto withdraw = [&](const std::string& id, std::size_t ledger) {
    return code_of_answer(bench.apply(ask(ledger + 1, testkit::withdraw(id, "w", amount)), ledger));
  };
  Code first = Code::internal;
  Code later = Code::internal;
  {
    const std::jthread client([&] { later = withdraw("later-" + name, 1); });
    run.sometimes("a decision was overtaken", turns.later_decided.await(long_patience) ? 1 : 0);
    first = withdraw("first-" + name, 0);
    turns.first_done.give();
  }
  const bool affordable = name == "both";
  const Code due = affordable ? Code::applied : Code::insufficient_funds;
  run.expect(first == Code::applied && later == due,
             name + ": " + std::string(to_string(first)) + " and, overtaken, " +
                 std::string(to_string(later)));
}

void snapshot_with(Run& run, Strategy strategy) {
  const auto both = std::make_shared<Turns>();
  const auto one = std::make_shared<Turns>();
  auto bench = open_watched_bench(run, strategy, [both, one](Point point, const OperationId& id) {
    if (point != Point::locks_rows || !id.view().starts_with("later-")) return;
    Turns& turns = id.view().ends_with("both") ? *both : *one;
    turns.later_decided.give();
    turns.first_done.await(long_patience);
  });
  if (bench == nullptr || !set_up(run, *bench, {"w"}, 100)) return;
  warm(*bench, "w");
  overtake(run, *bench, *both, "both", 10);
  warm(*bench, "w");
  overtake(run, *bench, *one, "one", 80);
  judge_bench(run, label(strategy, "an overtaken decision"), *bench);
}

/// SELECT, think, UPDATE to what was thought, at an isolation level; empty: the server's default.
std::string read_and_write_naively(Run& run, const std::string& level) {
  auto sessions = NaiveSessions::open(run, {{"w", 100}});
  if (sessions == nullptr) return {};
  naive::ServerBank& first = sessions->first();
  naive::ServerBank& later = sessions->second();
  for (naive::ServerBank* session : {&first, &later}) {
    if (!level.empty()) {
      session->run(run.engine() == Engine::postgres
                       ? "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level
                       : "SET SESSION TRANSACTION ISOLATION LEVEL " + level);
    }
    session->run("BEGIN");
    static_cast<void>(session->read_balance("w"));
  }
  std::size_t done = 0;
  std::string code;
  for (naive::ServerBank* session : {&first, &later}) {
    const std::string id = session == &first ? "first" : "later";
    const bool written = session->set_balance("w", "20");
    if (!written) code = session->link().failure_code();
    if (written) session->note_entry(id, "w", {}, 80);
    const bool committed = session->run(written ? "COMMIT" : "ROLLBACK") && written;
    sessions->tell(session == &first ? 1 : 2, testkit::withdraw(id, "w", 80), committed);
    done += committed ? 1 : 0;
  }
  const bool caught = sessions->is_caught(run);
  if (level.empty()) run.sometimes("the careless program lost an update", caught ? 1 : 0);
  if (done == 1) return "one of two withdrawals of 80 from 100, the other refused with " + code;
  return std::to_string(done) + " withdrawals of 80 from 100, it says " +
         std::to_string(sessions->observer().read_balance("w"));
}

void run_stale_snapshot(Run& run) {
  if (!needs_server(run, "a SQLite transaction that writes begins with the latest state")) return;
  if (run.mutant() == "naive-snapshot") {
    static_cast<void>(read_and_write_naively(run, {}));
    return;
  }
  for (const Strategy strategy : run.strategies()) snapshot_with(run, strategy);
  if (run.is_mutant()) return;
  run.contrast("naive: " + read_and_write_naively(run, {}) + "; under REPEATABLE READ " +
               read_and_write_naively(run, "REPEATABLE READ"));
}

}  // namespace

Scenario stale_snapshot() {
  return {"stale-snapshot",
          "a decision is overtaken before it is written: it is taken again",
          {{"naive-snapshot", "I2"}, {"guard-ignored", "I3"}},
          run_stale_snapshot};
}

}  // namespace mizan::prover
