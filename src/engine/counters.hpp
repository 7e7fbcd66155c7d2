#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "engine/distribution.hpp"
#include "engine/event_feed.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace mizan::engine {

/// In nanoseconds, from 50 microseconds to 30 seconds.
inline constexpr std::array<std::uint64_t, 18> time_bounds{50'000,
                                                           100'000,
                                                           250'000,
                                                           500'000,
                                                           1'000'000,
                                                           2'500'000,
                                                           5'000'000,
                                                           10'000'000,
                                                           25'000'000,
                                                           50'000'000,
                                                           100'000'000,
                                                           250'000'000,
                                                           500'000'000,
                                                           1'000'000'000,
                                                           2'500'000'000,
                                                           5'000'000'000,
                                                           10'000'000'000,
                                                           30'000'000'000};

/// In operations.
inline constexpr std::array<std::uint64_t, 14> batch_bounds{
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1'024, 2'048, 4'096, 8'192};

/// LedgerCounters that any thread may raise.
struct Counters {
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> operations_applied{0};
  std::atomic<std::uint64_t> operations_replayed{0};
  std::atomic<std::uint64_t> operations_refused{0};
  std::atomic<std::uint64_t> stale_cache_retries{0};
  std::atomic<std::uint64_t> optimistic_retries{0};
  std::atomic<std::uint64_t> conflict_retries{0};
  std::atomic<std::uint64_t> connection_retries{0};
  std::atomic<std::uint64_t> unknown_retries{0};
  std::atomic<std::uint64_t> unknown_commits_resolved{0};
  std::atomic<std::uint64_t> holds_expired{0};
  std::atomic<std::uint64_t> lock_losses{0};
  std::atomic<std::uint64_t> fence_rejections{0};
  std::atomic<std::uint64_t> invariant_alarms{0};
  Tally<time_bounds> commit_times;
  Tally<batch_bounds> batches;
  Tally<time_bounds> lock_times;

  EventFeed* events = nullptr;  ///< Is told of every commit. Null: nobody is.

  void note_commit() noexcept {
    ++commits;
    if (events != nullptr) events->announce();
  }

  /// What a COMMIT took, and how many operations it recorded.
  void note_commit_of(std::size_t operations, std::chrono::nanoseconds duration) noexcept {
    note_commit();
    commit_times.note(static_cast<std::uint64_t>(duration.count()));
    if (operations > 0) batches.note(operations);
  }

  /// The database ended a transaction that was not committed yet.
  void note_failure(const Error& error) noexcept {
    if (error.certainty == Certainty::unknown) return;
    if (error.code == Code::internal) ++invariant_alarms;
    if (error.retry != Retry::now) return;
    ++(error.code == Code::unavailable ? connection_retries : conflict_retries);
  }

  [[nodiscard]] LedgerCounters read() const {
    const std::uint64_t lost_connections = connection_retries.load();
    return {.commits = commits.load(),
            .operations_applied = operations_applied.load(),
            .operations_replayed = operations_replayed.load(),
            .operations_refused = operations_refused.load(),
            .stale_cache_retries = stale_cache_retries.load(),
            .optimistic_retries = optimistic_retries.load(),
            .store_retries = conflict_retries.load() + lost_connections,
            .connection_retries = lost_connections,
            .unknown_retries = unknown_retries.load(),
            .unknown_commits_resolved = unknown_commits_resolved.load(),
            .holds_expired = holds_expired.load(),
            .lock_losses = lock_losses.load(),
            .fence_rejections = fence_rejections.load(),
            .invariant_alarms = invariant_alarms.load(),
            .operations_waiting = 0,
            .commit_nanoseconds = commit_times.read(),
            .batch_operations = batches.read(),
            .lock_nanoseconds = lock_times.read()};
  }
};

}  // namespace mizan::engine
