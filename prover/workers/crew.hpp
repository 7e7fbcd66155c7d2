#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "prover/history.hpp"
#include "prover/place.hpp"
#include "prover/run.hpp"
#include "prover/workers/child.hpp"
#include "prover/workers/line_socket.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::prover {

/// A worker process with its own lock service. What it is asked and what it answers goes into the
/// history of the crew.
class Worker {
 public:
  Worker(Child child, std::size_t client, History& history) noexcept
      : child_(std::move(child)), client_(client), history_(history) {}

  /// Waits up to 20 s for the lease, which renews itself while the process is running.
  Result<Fence> acquire(const Resource& resource, std::chrono::milliseconds ttl);
  Status release();

  Result<Outcome> apply(const History::Request& request, std::size_t ledger = 0);

  /// The two halves of `apply`: the process may be stopped in between.
  Status send_apply(const History::Request& request, std::size_t ledger = 0);
  Result<Outcome> finish_apply();

  Status pause() { return child_.pause(); }

  void resume() noexcept { child_.resume(); }

  [[nodiscard]] std::size_t client() const noexcept { return client_; }

 private:
  Child child_;
  std::size_t client_;
  History& history_;
  std::size_t pending_ = 0;
};

/// The process that owns a store, and the prover's own connection to it.
class Crew {
 public:
  struct Options {
    StorePlace place;
    std::filesystem::path socket;
    Strategy strategy = Strategy::batched;
    std::size_t ledgers = 1;
    std::string mutant;
    std::string lock = "store";  ///< As a desk has it; see workers/desk.hpp.
  };

  [[nodiscard]] static Result<std::unique_ptr<Crew>> start(const Options& options,
                                                           History& history);

  [[nodiscard]] Result<std::unique_ptr<Worker>> hire(std::size_t client);

  Status create_wallet(std::string_view id);
  Result<std::int64_t> read_balance(std::string_view id);
  Result<Outcome> apply(const History::Request& request, std::size_t ledger = 0);

  /// Sends the request, kills the owner (SIGKILL) when it stands at `step`, and notes the call as
  /// one whose fate nobody knows. False where the step was not reached.
  Result<bool> kill_at(std::string_view step, const History::Request& request);

  /// SIGKILL, now.
  void kill() noexcept { owner_.kill(); }

  [[nodiscard]] int process() const noexcept { return owner_.process(); }

 private:
  Crew(Child owner, LineSocket socket, Options options, History& history) noexcept
      : owner_(std::move(owner)),
        socket_(std::move(socket)),
        options_(std::move(options)),
        history_(history) {}

  Child owner_;
  LineSocket socket_;
  Options options_;
  History& history_;
};

}  // namespace mizan::prover
