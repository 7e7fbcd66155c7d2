#pragma once

#include "mizan/ledger.hpp"

#include "engine/event_feed.hpp"

#include <atomic>
#include <cstdint>

namespace mizan::engine {

/// LedgerCounters that any thread may raise.
struct Counters {
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> operations_applied{0};
  std::atomic<std::uint64_t> operations_replayed{0};
  std::atomic<std::uint64_t> operations_refused{0};
  std::atomic<std::uint64_t> stale_cache_retries{0};
  std::atomic<std::uint64_t> optimistic_retries{0};
  std::atomic<std::uint64_t> store_retries{0};
  std::atomic<std::uint64_t> unknown_commits_resolved{0};
  std::atomic<std::uint64_t> holds_expired{0};
  std::atomic<std::uint64_t> lock_losses{0};
  std::atomic<std::uint64_t> fence_rejections{0};

  EventFeed* events = nullptr;  ///< Is told of every commit. Null: nobody is.

  void note_commit() noexcept {
    ++commits;
    if (events != nullptr) events->announce();
  }

  [[nodiscard]] LedgerCounters read() const {
    return {commits.load(),
            operations_applied.load(),
            operations_replayed.load(),
            operations_refused.load(),
            stale_cache_retries.load(),
            optimistic_retries.load(),
            store_retries.load(),
            unknown_commits_resolved.load(),
            holds_expired.load(),
            lock_losses.load(),
            fence_rejections.load()};
  }
};

}  // namespace mizan::engine
