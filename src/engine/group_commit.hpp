#pragma once

#include "base/bell.hpp"
#include "base/mutex.hpp"
#include "engine/attempt.hpp"
#include "engine/decider.hpp"
#include "engine/gathering.hpp"
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

/// Tells their callers; each once, after its answers are final.
void answer(std::span<const std::shared_ptr<Job>> jobs);

/// The batched strategy: any number of threads hand in jobs, one thread at a time decides them in
/// order and commits many operations in one database transaction (group commit). That thread is a
/// thread of its own; a caller who has been alone may work on its small job itself, because handing
/// it over twice takes longer than deciding it. Another thread answers at their deadlines the
/// jobs that the first cannot come to while the database keeps it waiting.
///
/// Over a far store there are two working threads, and they take turns: while one's batch is being
/// written, the other decides what names none of its wallets, and writes it over a connection of
/// its own. Operations on one wallet keep their order: who is passed over is passed on its wallets
/// by nobody. Threads: any thread may call `push` and `run`. Destruction answers everything that
/// was accepted.
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
  using Jobs = std::vector<std::shared_ptr<Job>>;

  /// What a working thread is at, from the queue to the answers.
  struct Batch {
    std::span<const std::shared_ptr<Job>> jobs;
    std::size_t operations = 0;
    Deadline deadline = Deadline::max();  // The first of theirs.
    Instant began{};
    bool away = false;  // The turn is given to others meanwhile.
    bool committing = false;
    WorkUnderWay abandoned;  // The operations in its commit whose callers have gone.
  };

  class BatchTurn;

  void work(Batch& batch);
  /// Null: others are there, or the job is none to be worked on by its caller.
  [[nodiscard]] Batch* begin_alone(const std::shared_ptr<Job>& job);
  [[nodiscard]] Jobs take(Batch& batch);
  void gather(MutexLock& lock) MIZAN_REQUIRES(mutex_);
  [[nodiscard]] bool are_all_after_the_same() const MIZAN_REQUIRES(mutex_);
  [[nodiscard]] bool is_back_soon(const Batch& batch,
                                  std::span<const std::shared_ptr<Job>> jobs) const
      MIZAN_REQUIRES(mutex_);
  [[nodiscard]] Jobs take_in_order() MIZAN_REQUIRES(mutex_);
  [[nodiscard]] Jobs take_beside() MIZAN_REQUIRES(mutex_);
  [[nodiscard]] std::size_t share() const MIZAN_REQUIRES(mutex_);
  [[nodiscard]] std::vector<std::size_t> find_free() MIZAN_REQUIRES(mutex_);
  [[nodiscard]] bool is_free(const Job& job) MIZAN_REQUIRES(mutex_);
  void begin(Batch& batch, std::span<const std::shared_ptr<Job>> jobs) MIZAN_REQUIRES(mutex_);
  [[nodiscard]] Bell& next_bell() MIZAN_REQUIRES(mutex_);
  void change_bell() MIZAN_REQUIRES(mutex_);
  void leave(bool was_alone);
  void process(Batch& batch, std::span<const std::shared_ptr<Job>> jobs);
  void settle(Batch& batch, std::span<Request* const> requests, AttemptOptions options);
  void decide_only(Job& job);
  void answer_late(std::span<const std::shared_ptr<Job>> jobs, std::span<Request* const> late);
  void note_commit(Batch& batch, CommitStep step);

  [[nodiscard]] bool may_write_unasked(Instant now) const noexcept;
  [[nodiscard]] bool may_take() const MIZAN_REQUIRES(mutex_);
  [[nodiscard]] std::size_t operations_away() const MIZAN_REQUIRES(mutex_);
  [[nodiscard]] bool is_worker_wanted() MIZAN_REQUIRES(mutex_);
  void hold_turn() MIZAN_REQUIRES(mutex_);
  void give_turn() MIZAN_REQUIRES(mutex_);

  void watch();
  void watch_until(Deadline deadline) MIZAN_REQUIRES(mutex_);
  [[nodiscard]] Jobs settle_late(Instant now) MIZAN_REQUIRES(mutex_);
  void settle_queued(Instant now, Jobs& late) MIZAN_REQUIRES(mutex_);
  void settle_committing(Batch& batch, Instant now, Jobs& late) MIZAN_REQUIRES(mutex_);

  Context context_;
  std::size_t queue_max_;
  std::size_t batch_max_;
  std::size_t cached_wallets_max_;
  bool is_far_;        // The store is: there are two working threads.
  WalletCache cache_;  // Of the thread whose turn it is.
  // Likewise: the time in which decisions may be written before anything is asked.
  Instant unasked_from_{};
  Instant unasked_until_{};
  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Job>> queue_ MIZAN_GUARDED_BY(mutex_);
  std::size_t queued_operations_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::size_t wake_at_ MIZAN_GUARDED_BY(mutex_) = 1;  // With as many queued, one is to be woken.
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  bool is_gathering_ MIZAN_GUARDED_BY(mutex_) = false;
  std::array<Batch, 2> batches_ MIZAN_GUARDED_BY(mutex_);  // One for each working thread,
  Batch alone_ MIZAN_GUARDED_BY(mutex_);                   // and that of a caller on its own.
  // From taking a batch to its COMMIT, and from there to its answers.
  bool is_turn_taken_ MIZAN_GUARDED_BY(mutex_) = false;
  std::condition_variable_any turn_;
  std::size_t returning_ MIZAN_GUARDED_BY(mutex_) = 0;  // These come before a batch is taken.
  std::uint64_t looks_ MIZAN_GUARDED_BY(mutex_) = 0;    // For what could go beside another batch.
  std::size_t in_vain_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::size_t looks_saved_ MIZAN_GUARDED_BY(mutex_) = 0;  // As many COMMITs are not looked beside.
  Gathering gathering_ MIZAN_GUARDED_BY(mutex_);
  std::condition_variable_any gathered_;
  std::condition_variable_any watch_wake_;
  Deadline watch_until_ MIZAN_GUARDED_BY(mutex_) = Deadline::max();
  bool closed_ MIZAN_GUARDED_BY(mutex_) = false;
  bool was_alone_ MIZAN_GUARDED_BY(mutex_) = true;  // Nobody came while the last job was worked on.
  // In turn: the callers of one commit are woken together, and its end does not wake those of
  // others.
  std::array<Bell, 64> bells_;
  std::size_t bell_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::size_t bell_callers_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::jthread watcher_;  // These last: they use everything above.
  std::array<std::jthread, 2> workers_;
};

}  // namespace mizan::engine
