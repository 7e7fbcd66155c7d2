#pragma once

#include "mizan/clock.hpp"
#include "mizan/ids.hpp"
#include "mizan/lock.hpp"

#include "base/mutex.hpp"
#include "http/exchange.hpp"
#include "http/workers.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace mizan::http {

/// A lock that a client asked for.
struct LockWish {
  std::shared_ptr<Exchange> exchange;
  Resource resource;
  LockOwner owner;
  std::chrono::milliseconds ttl{};
  std::optional<Deadline> wait_until;  ///< Absent: one attempt.
  Deadline answer_by{};  ///< Of the one attempt; an attempt of those who wait has time of its own.
};

/// Acquires locks for clients, any number of whom may wait for a long time: none occupies a thread.
/// For each resource the one that has waited longest asks now and then, and at once when the lock
/// is given back here; the others stand behind it. What is granted is the client's and stays in the
/// lock service when this object goes.
/// Threads: any. Destruction answers everybody who still waits.
class LockWaiters {
 public:
  struct Options {
    LockService& service;
    const Clock& clock;
    std::size_t waiting_max = 4'096;
    std::chrono::milliseconds answer_time{30'000};  ///< For an attempt of somebody who waits.
    std::chrono::milliseconds poll_min{20};   ///< Between two attempts for one resource, growing
    std::chrono::milliseconds poll_max{100};  ///< from the one to the other.
  };

  explicit LockWaiters(Options options);
  LockWaiters(const LockWaiters&) = delete;
  LockWaiters& operator=(const LockWaiters&) = delete;
  ~LockWaiters();

  /// Answers the wish's exchange, now or later.
  void acquire(LockWish wish);

  /// Somebody may have given the resource back.
  void released(const Resource& resource);

  [[nodiscard]] LockService& service() noexcept { return options_.service; }

  /// Leases granted, and requests answered with `lock_busy`, so far.
  [[nodiscard]] std::uint64_t granted() const noexcept { return granted_; }

  [[nodiscard]] std::uint64_t busy() const noexcept { return busy_; }

  /// A client came back with a lease that was over; how often, so far.
  void note_lost() noexcept { ++lost_; }

  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

  /// Those who wait now, for metrics.
  [[nodiscard]] std::size_t waiting() const;

  /// Answers everybody who waits with `lock_busy`; nobody waits from now on.
  void close();

 private:
  struct Line {
    std::deque<LockWish> wishes;
    Instant due{};  ///< Of the next attempt for the first wish.
    std::chrono::milliseconds pause{};
    bool is_asking = false;  ///< An attempt is under way.
  };

  /// Whether an attempt is its line's, or was made beside it.
  enum class Turn : bool { beside, of_line };

  void enqueue(LockWish wish);
  void attempt(LockWish wish, Turn turn);
  void conclude(LockWish wish, Turn turn, Result<AcquireOutcome> outcome);
  void put_off(Line& line, std::chrono::milliseconds remaining) const MIZAN_REQUIRES(mutex_);
  void put_back(LockWish wish, Turn turn, std::chrono::milliseconds remaining);
  void grant(const LockWish& wish, Lease lease);
  void give_back(const LockWish& wish);
  void leave(const Resource& resource, Turn turn);
  void run();
  Instant look_through(Instant now, std::vector<LockWish>& due, std::vector<LockWish>& late)
      MIZAN_REQUIRES(mutex_);

  void answer_busy(const LockWish& wish, std::optional<std::chrono::milliseconds> remaining);

  Options options_;
  std::atomic<std::uint64_t> granted_{0};
  std::atomic<std::uint64_t> busy_{0};
  std::atomic<std::uint64_t> lost_{0};
  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::map<Resource, Line> lines_ MIZAN_GUARDED_BY(mutex_);
  std::size_t waiting_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  bool changed_ MIZAN_GUARDED_BY(mutex_) = false;
  Workers workers_;      // Those who talk to the lock service.
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::http
