#pragma once

#include "base/bell.hpp"
#include "base/mutex.hpp"
#include "engine/attempt.hpp"
#include "engine/decider.hpp"
#include "engine/late.hpp"
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
  /// The caller named no deadline: it may wait for the database on its own thread, where nobody
  /// could answer it while the database hangs.
  bool is_patient = false;

  /// Once, after the answers are final, on a thread of the group commit. Absent: the caller waits.
  std::function<void(Job&)> done;

  /// Blocks until the answers are final. Only after a successful `push`, only without `done`.
  void wait() noexcept;

  /// Moves the answer to a request out; once, after the answers are final.
  [[nodiscard]] Result<Outcome> take_answer(std::size_t index);

  /// Where the deadline came first: the answers to all requests. The requests themselves may still
  /// be in the hands of the writing thread.
  std::vector<Result<Outcome>> late;
  Deadline deadline = Deadline::max();  ///< Of all the requests; set by `push`.
  bool settled = false;  ///< Somebody answers it, or did. Guarded by the mutex of the group commit.
  std::atomic<bool> answered{false};
  Bell* bell = nullptr;  ///< Rings after `answered`; set by `push`, null where nobody waits.
};

/// The batched strategy: any number of threads hand in jobs, one thread at a time decides them in
/// order and commits many operations in one database transaction (group commit). That thread is a
/// thread of its own; a caller who has been alone may work on its small job itself, because handing
/// it over twice takes longer than deciding it. A second thread answers at their deadlines the
/// jobs that the first cannot come to while the database keeps it waiting.
/// Threads: any thread may call `push` and `run`. Destruction answers everything that was accepted.
class GroupCommit {
 public:
  GroupCommit(const Context& context, const LedgerOptions& options);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;
  ~GroupCommit();

  /// False: the queue is full or closing; the job was not taken and `done` will not be called.
  [[nodiscard]] bool push(std::shared_ptr<Job> job);

  /// As `push`, and blocks until the answers are final. Only for a job without `done`.
  [[nodiscard]] bool run(const std::shared_ptr<Job>& job);

  /// Operations that wait for their turn, at this moment.
  [[nodiscard]] std::size_t waiting() const;

 private:
  [[nodiscard]] bool begin_alone(const std::shared_ptr<Job>& job);
  [[nodiscard]] std::vector<std::shared_ptr<Job>> take();
  void work();
  void leave(bool was_alone);
  void process(std::span<const std::shared_ptr<Job>> jobs);
  void settle(std::span<Request* const> requests, AttemptOptions options);
  void decide_only(Job& job);
  void answer_late(std::span<const std::shared_ptr<Job>> jobs, std::span<Request* const> late);
  void answer(Job& job);
  void ring_bells() noexcept;
  void note_commit(CommitStep step);

  using Jobs = std::vector<std::shared_ptr<Job>>;
  void watch();
  void watch_until(Deadline deadline) MIZAN_REQUIRES(mutex_);
  [[nodiscard]] Jobs settle_late(Instant now) MIZAN_REQUIRES(mutex_);
  void settle_queued(Instant now, Jobs& late) MIZAN_REQUIRES(mutex_);
  void settle_committing(Instant now, Jobs& late) MIZAN_REQUIRES(mutex_);

  Context context_;
  std::size_t queue_max_;
  std::size_t batch_max_;
  std::size_t cached_wallets_max_;
  bool is_far_;              // The store is.
  WalletCache cache_;        // Of the thread that works: whoever has set `is_busy_`.
  std::vector<Bell*> owed_;  // Likewise: those that have somebody to wake.
  // Likewise: the time in which decisions may be written before anything is asked.
  Instant unasked_from_{};
  Instant unasked_until_{};
  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Job>> queue_ MIZAN_GUARDED_BY(mutex_);
  std::size_t queued_operations_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  // What the writing thread is at, and the operations in its commit whose callers have gone.
  std::span<const std::shared_ptr<Job>> current_ MIZAN_GUARDED_BY(mutex_);
  Deadline current_deadline_ MIZAN_GUARDED_BY(mutex_) = Deadline::max();  // The first of theirs.
  bool committing_ MIZAN_GUARDED_BY(mutex_) = false;
  WorkUnderWay abandoned_ MIZAN_GUARDED_BY(mutex_);
  std::condition_variable_any watch_wake_;
  Deadline watch_until_ MIZAN_GUARDED_BY(mutex_) = Deadline::max();
  bool closed_ MIZAN_GUARDED_BY(mutex_) = false;
  bool is_busy_ MIZAN_GUARDED_BY(mutex_) = false;
  bool was_alone_ MIZAN_GUARDED_BY(mutex_) = true;  // Nobody came while the last job was worked on.
  // Two, in turn: the callers of one commit are woken together, and the end of that commit does
  // not wake those who have come for the next one.
  std::array<Bell, 2> bells_;
  std::size_t takes_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::jthread watcher_;  // These two last: they use everything above.
  std::jthread writer_;
};

}  // namespace mizan::engine
