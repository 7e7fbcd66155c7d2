#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "lock/redis/places.hpp"
#include "lock/redis/servers.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>

namespace mizan::redis {

/// Hears of releases, by whomever, and wakes those who wait. It is a convenience: whoever waits
/// asks again after a while all the same, so a message that is missed costs a moment. A thread
/// and a connection of its own come with the first waiter. Any thread may call it.
class ReleaseListener {
 public:
  /// `servers` must outlive it.
  ReleaseListener(Servers& servers, std::string prefix);
  ReleaseListener(const ReleaseListener&) = delete;
  ReleaseListener& operator=(const ReleaseListener&) = delete;
  ~ReleaseListener();

  /// How often something was released in the bucket; ask before trying to acquire.
  [[nodiscard]] std::uint64_t heard(std::size_t bucket);

  /// Blocks until something was released since `seen`, or for `at_most`.
  void wait(std::size_t bucket, std::uint64_t seen, std::chrono::milliseconds at_most);

 private:
  using Subscribed = std::array<bool, bucket_count>;

  void run(const std::stop_token& stop);
  void await_waiter(const std::stop_token& stop);
  void listen(const std::stop_token& stop);
  [[nodiscard]] Status subscribe(Connection& connection, Subscribed& subscribed);
  [[nodiscard]] Status take_messages(Connection& connection);
  [[nodiscard]] bool is_idle();
  void note(const Reply& message);
  void pause(const std::stop_token& stop, std::chrono::milliseconds time);

  Servers& servers_;
  const std::string prefix_;
  const int wake_;  // An eventfd: a new bucket is wanted, or the end.
  Mutex mutex_;
  std::condition_variable_any released_;
  std::condition_variable_any wanted_changed_;
  std::array<std::uint64_t, bucket_count> heard_ MIZAN_GUARDED_BY(mutex_){};
  Subscribed wanted_ MIZAN_GUARDED_BY(mutex_){};
  std::size_t waiters_ MIZAN_GUARDED_BY(mutex_) = 0;
  Instant last_wait_ MIZAN_GUARDED_BY(mutex_){};
  std::jthread thread_ MIZAN_GUARDED_BY(mutex_);  // Last: it uses the rest.
};

}  // namespace mizan::redis
