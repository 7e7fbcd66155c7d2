#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"
#include "mizan/store.hpp"

#include "engine/counters.hpp"
#include "engine/decider.hpp"
#include "engine/wallet_cache.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace mizan::engine {

/// What the engine's parts share. Outlives them all.
struct Context {
  Store& store;
  const Clock& clock;
  Counters& counters;
  StepHook on_step;

  void step(std::string_view name) const {
    if (on_step) on_step(name);
  }
};

enum class AttemptEnd : std::uint8_t {
  done,            ///< Every request has its final answer.
  stale,           ///< A guarded write or a checked read was out of date; nothing was kept.
  too_early,       ///< What was not asked had to be known; nothing was kept.
  store_retry,     ///< The database asks for the whole transaction again; nothing was kept.
  commit_unknown,  ///< Nobody knows whether the transaction was committed.
};

enum class CommitStep : std::uint8_t { begins, ended };

/// Of several threads that decide on one cache, the one whose turn it is uses it.
class Turn {
 public:
  Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  virtual ~Turn() = default;

  /// Before a plan is written: the others go on, with wallets that are not away.
  virtual void give() = 0;

  /// Afterwards; blocks until nobody else has the turn.
  virtual void take_back() = 0;

  /// Blocks until all others have what they have written back in the cache.
  virtual void await_alone() = 0;
};

struct AttemptOptions {
  LoadLock lock = LoadLock::none;
  bool dry_run = false;
  Atomicity atomicity = Atomicity::independent;
  Deadline deadline = Deadline::max();
  /// The results are those of a commit of unknown fate: ask about it first.
  bool in_doubt = false;
  /// Given those whose deadline passed, with their answer, while others are still worked on.
  /// Nothing looks at them afterwards.
  std::function<void(std::span<Request* const> late)> on_late;
  /// Where given: called right before and right after the COMMIT. Meanwhile nothing here looks at a
  /// request; one that is marked as `gone` when the second call returns is not looked at any more.
  std::function<void(CommitStep step)> on_commit;
  /// The first attempt may write what can be decided on cached states before anything was asked.
  /// Holds that are due end some other time then.
  bool unasked = false;
  Turn* turn =
      nullptr;  ///< Where others use the cache, too. Only the first attempt is beside them.
  std::function<void()> on_too_early;  ///< Where given: called where the first attempt was that.
  /// Where given: takes the decider of the attempt that is done, so that its memory, a plan of
  /// thousands of operations, is given back when nobody waits any more. Only to be destroyed.
  std::unique_ptr<Decider>* remains = nullptr;
};

/// One database transaction from begin to commit for all requests. On `done` the results are
/// final. Otherwise the results mean nothing and the wallets touched have left the cache. An Error
/// means that nothing was applied and trying again now is no use.
[[nodiscard]] Result<AttemptEnd> attempt(const Context& context,
                                         WalletCache& cache,
                                         std::span<Request* const> requests,
                                         const AttemptOptions& options);

/// Attempts until every request has an answer: retries what the database asks to retry, with
/// jitter and locked loads, until each request's deadline. Never leaves a request without one.
void run_to_answer(const Context& context,
                   WalletCache& cache,
                   std::span<Request* const> requests,
                   const AttemptOptions& options);

/// Is this operation recorded? Until the deadline of the request. Answers the final outcome when it
/// is, nothing when it is not: after a commit of unknown fate repeating it with the same id is
/// safe.
[[nodiscard]] Result<std::optional<Outcome>> look_up(const Context& context,
                                                     const Request& request);

/// Counts the final answers.
void count(Counters& counters, std::span<Request* const> requests);
void count_one(Counters& counters, const Outcome& outcome);

}  // namespace mizan::engine
