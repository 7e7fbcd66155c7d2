#pragma once

#include "mizan/ledger.hpp"
#include "mizan/outcome.hpp"

#include "prover/bench.hpp"
#include "prover/history.hpp"
#include "prover/run.hpp"
#include "prover/servers/sql_link.hpp"
#include "testkit/builders.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::prover {

/// An operation as client `client` asks for it.
[[nodiscard]] History::Request ask(std::size_t client,
                                   Operation operation,
                                   std::string intent = {});

/// Runs `work(0)` … `work(count − 1)`, each on a thread of its own, all released at one moment.
void in_parallel(std::size_t count, const std::function<void(std::size_t index)>& work);

/// The code of an answer, errors included.
[[nodiscard]] Code code_of_answer(const Result<Outcome>& answer);

/// A fresh bench, or nothing after noting in `run` why not.
[[nodiscard]] std::unique_ptr<Bench> open_bench(Run& run,
                                                Strategy strategy,
                                                std::size_t ledgers = 1,
                                                const Clock* clock = nullptr);

/// One with two ledgers, whose transactions are watched.
[[nodiscard]] std::unique_ptr<Bench> open_watched_bench(Run& run,
                                                        Strategy strategy,
                                                        PointHook watch);

/// Lets so much time pass that a session that waits for a lock has looked for a deadlock.
void pass_deadlock_check(SqlLink& link);

/// Waits until a transaction waits for a lock on tables of this room; false when none did. `link`
/// is somebody else's session.
[[nodiscard]] bool await_lock_wait(SqlLink& link, const std::string& room);

/// True on a server. On SQLite the run is SKIPPED, and says what to pass.
bool needs_server(Run& run, std::string_view why);

/// Both ledgers know the wallet from here on, as a refused request leaves it in their caches.
void warm(Bench& bench, std::string_view wallet);

/// Creates EUR wallets; the first is funded with `amount`. False after noting why not.
bool set_up(Run& run,
            Bench& bench,
            const std::vector<std::string_view>& wallets,
            std::int64_t amount);

/// Reads a group of wallets again and again beside the writers, until destroyed.
class Reader {
 public:
  Reader(Store& store, std::vector<WalletId> wallets, std::optional<WideUnits> expected_sum);

  /// Stops and answers what was seen.
  [[nodiscard]] std::vector<Reading> stop();

 private:
  std::atomic<bool> stopping_{false};
  std::vector<Reading> readings_;  // The thread's until it has ended.
  std::jthread thread_;
};

/// "batched, 20 clients".
[[nodiscard]] std::string label(Strategy strategy, std::string_view rest);

}  // namespace mizan::prover
