#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "bench/histogram.hpp"
#include "bench/transfer_source.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mizan::bench {

/// When a measurement ends: at whichever limit comes first, or at a signal.
struct Limits {
  std::uint64_t transfers_max = 0;
  double seconds_max = 1;
  double warm_up_seconds = 0;  ///< Load that comes before and is not counted.
};

/// What a load reached. Latency is in nanoseconds, each call's from its intended start: the end
/// of the caller's call before it, or its place in the schedule where there is one; so a stall
/// counts for every call that it delayed.
struct LoadResult {
  std::uint64_t transfers = 0;  ///< Applied within `seconds`.
  std::uint64_t applied = 0;    ///< All of them, the warm-up included.
  std::uint64_t retries = 0;    ///< Repeated with the same id, because somebody else was faster.
  double seconds = 0;
  Histogram latency;

  [[nodiscard]] double per_second() const noexcept {
    return seconds > 0 ? static_cast<double>(transfers) / seconds : 0;
  }
};

/// One caller that hands in `batch` transfers at a time and waits for the answers.
[[nodiscard]] Result<LoadResult> run_batches(Ledger& ledger,
                                             TransferSource& source,
                                             std::size_t batch,
                                             const Limits& limits);

/// Many callers, each with a thread and a source of its own, one transfer per call.
struct CallerLoad {
  std::size_t callers = 1;
  Limits limits;
  TransferSource::Options source;  ///< Of the first caller; the others get the seeds after it.
  double rate_per_second = 0;      ///< Of all callers together, by schedule; 0: as fast as it goes.
};

/// Does one transfer of a caller's own; answers how often it had to repeat it. Called on the
/// caller's thread.
using Caller = std::function<Result<std::uint64_t>()>;

/// Makes the caller of that number; called before any of them starts.
using MakeCaller = std::function<Caller(std::size_t number)>;

[[nodiscard]] Result<LoadResult> run_callers(const CallerLoad& load, const MakeCaller& make);

/// Callers of `Ledger::apply`, by the ledger's own strategy.
[[nodiscard]] Result<LoadResult> run_callers(Ledger& ledger,
                                             std::span<const WalletId> wallets,
                                             const CallerLoad& load);

}  // namespace mizan::bench
