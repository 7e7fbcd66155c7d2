#pragma once

#include "base/mutex.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace mizan::http {

/// A few threads for work that may block, and a bounded queue before them.
/// Threads: any thread may post. Destruction does what was accepted, then returns.
class Workers {
 public:
  struct Options {
    std::string name;  ///< Of the threads; 15 bytes are kept.
    std::size_t threads = 4;
    std::size_t queue_max = 1'024;  ///< Waiting tasks; then they are refused.
  };

  explicit Workers(Options options);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  /// False: too much waits already, and the task will not run.
  [[nodiscard]] bool post(std::function<void()> task);

  [[nodiscard]] std::size_t waiting() const;

 private:
  void work();

  Options options_;
  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> queue_ MIZAN_GUARDED_BY(mutex_);
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;  // Last: they use everything above.
};

}  // namespace mizan::http
