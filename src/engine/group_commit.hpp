#pragma once

#include "base/bell.hpp"
#include "base/mutex.hpp"
#include "engine/attempt.hpp"
#include "engine/decider.hpp"
#include "engine/wallet_cache.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace mizan::engine {

/// Some operations that were handed in together; answered together.
struct Job {
  std::vector<Request> requests;
  bool dry_run = false;  ///< Decide everything, keep nothing.

  /// On the writing thread, once, after the answers are final. Absent: the caller waits.
  std::function<void(Job&)> done;

  /// Blocks until the answers are final. Only after a successful `push`, only without `done`.
  void wait() noexcept;

  std::atomic<bool> answered{false};
  Bell* bell = nullptr;  ///< Rings after `answered`; set by `push`.
};

/// The batched strategy: any number of threads hand in jobs, one thread decides them in order and
/// commits many operations in one database transaction (group commit).
/// Threads: any thread may call `push`. Destruction answers everything that was accepted.
class GroupCommit {
 public:
  GroupCommit(const Context& context, const LedgerOptions& options);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;
  ~GroupCommit();

  /// False: the queue is full or closing; the job was not taken and `done` will not be called.
  [[nodiscard]] bool push(std::shared_ptr<Job> job);

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Job>> take();
  void run();
  void process(std::span<const std::shared_ptr<Job>> jobs);
  void decide_only(Job& job);
  void answer(Job& job);
  void ring_bells() noexcept;

  Context context_;
  std::size_t queue_max_;
  std::size_t batch_max_;
  std::size_t cached_wallets_max_;
  WalletCache cache_;        // The writing thread's own.
  std::vector<Bell*> owed_;  // Likewise: those that have somebody to wake.
  Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Job>> queue_ MIZAN_GUARDED_BY(mutex_);
  std::size_t queued_operations_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  // Two, in turn: the callers of one commit are woken together, and the end of that commit does
  // not wake those who have come for the next one.
  std::array<Bell, 2> bells_;
  std::size_t takes_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::jthread writer_;  // Last: it uses everything above.
};

}  // namespace mizan::engine
