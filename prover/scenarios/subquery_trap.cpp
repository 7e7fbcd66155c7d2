// `SET balance = (SELECT balance …) - 30` is one statement, and still a lost update where the
// subquery reads another moment than the row that is written.

#include "prover/place.hpp"
#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

struct Turns {
  Signal first_wrote;
  Signal later_comes;
  std::atomic<bool> is_first_held{false};
  std::atomic<bool> did_later_wait{false};
  std::unique_ptr<SqlLink> onlooker;  // The first one's while it is held.
  std::string room;

  /// Once: the first one goes no further before the later one waits for its row.
  void hold_first() {
    if (is_first_held.exchange(true)) return;
    first_wrote.give();
    did_later_wait = later_comes.await(long_patience / 2) && await_lock_wait(*onlooker, room);
  }
};

/// The first one has written and not committed when the later one comes to the row.
void wait_for_row_with(Run& run, Strategy strategy) {
  const auto turns = std::make_shared<Turns>();
  auto bench = open_watched_bench(run, strategy, [turns](Point point, const OperationId& id) {
    if (id.view() == "first" && point == Point::wrote) turns->hold_first();
    if (id.view() == "later" && point == Point::locks_rows) turns->later_comes.give();
  });
  if (bench == nullptr || !set_up(run, *bench, {"w"}, 100)) return;
  auto onlooker = SqlLink::open(server_url(bench->place().server));
  if (!onlooker) return run.could_not_run(onlooker.error());
  turns->onlooker = std::move(*onlooker);
  turns->room = bench->place().room;
  warm(*bench, "w");
  const auto withdraw = [&](const std::string& id, std::size_t ledger) {
    const Code code =
        code_of_answer(bench->apply(ask(ledger + 1, testkit::withdraw(id, "w", 30)), ledger));
    run.expect(code == Code::applied, label(strategy, id + ": " + std::string(to_string(code))));
  };
  {
    const std::jthread client([&] { withdraw("first", 0); });
    run.sometimes("one came to a row that another had written",
                  turns->first_wrote.await(long_patience) ? 1 : 0);
    withdraw("later", 1);
  }
  run.sometimes("it waited for that row", turns->did_later_wait ? 1 : 0);
  judge_bench(run, label(strategy, "waiting for a row"), *bench);
}

/// Two of those statements at once; the second begins while the first is not committed.
std::string subtract_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"w", 100}});
  if (sessions == nullptr) return {};
  naive::ServerBank& first = sessions->first();
  naive::ServerBank& later = sessions->second();
  const std::string subquery =
      "(SELECT old.balance FROM naive_wallets AS old WHERE old.id = 'w') - 30";
  later.run("BEGIN");
  first.run("BEGIN");
  first.set_balance("w", subquery);
  first.note_entry("first", "w", {}, 30);
  bool done = false;
  std::string code;
  {
    const std::jthread client([&] {
      done = later.set_balance("w", subquery);
      code = later.link().failure_code();
    });
    static_cast<void>(sessions->await_waiting(later));
    first.run("COMMIT");
  }
  if (done) later.note_entry("later", "w", {}, 30);
  later.run(done ? "COMMIT" : "ROLLBACK");
  sessions->tell(1, testkit::withdraw("first", "w", 30), true);
  sessions->tell(2, testkit::withdraw("later", "w", 30), done);
  const bool caught = sessions->is_caught(run);
  const std::string balance = std::to_string(sessions->observer().read_balance("w"));
  if (run.engine() == Engine::postgres) {
    run.sometimes("the careless program lost an update", caught ? 1 : 0);
  }
  if (!done) return "MariaDB ended one of them with error " + code + ", nothing was lost";
  if (caught) return "two withdrawals of 30 from 100, it says " + balance;
  return "two withdrawals of 30 from 100, it says " + balance +
         ": right, MariaDB locks what the subquery reads";
}

void run_subquery_trap(Run& run) {
  if (!needs_server(run, "a SQLite statement that writes reads the latest state")) return;
  if (run.mutant() == "naive-subquery") {
    if (run.engine() == Engine::mariadb) {
      return run.skip("this trap is PostgreSQL's: MariaDB locks what the subquery reads");
    }
    static_cast<void>(subtract_naively(run));
    return;
  }
  for (const Strategy strategy : run.strategies()) wait_for_row_with(run, strategy);
  if (!run.is_mutant()) run.contrast("naive: " + subtract_naively(run));
}

}  // namespace

Scenario subquery_trap() {
  return {"subquery-trap",
          "one waits for a row that another has written: it goes on from there",
          {{"naive-subquery", "I2"}, {"balance-from-snapshot", "expected"}},
          run_subquery_trap};
}

}  // namespace mizan::prover
