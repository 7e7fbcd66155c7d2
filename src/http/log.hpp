#pragma once

#include "mizan/clock.hpp"

#include "base/mutex.hpp"
#include "json/value.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace mizan::http {

enum class LogLevel : std::uint8_t { error, warning, info, debug };

/// One JSON object a line. Whoever logs never waits for the reader: lines go through a bounded
/// queue to a thread of their own, and what does not fit is counted and said later.
/// Threads: any. Destruction writes what is queued.
class Log {
 public:
  using Write = std::function<void(std::string_view line)>;

  /// `clock` must outlive it. `write` is called by one thread.
  Log(LogLevel level, const Clock& clock, Write write);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  [[nodiscard]] bool wants(LogLevel level) const noexcept { return level <= level_; }

  /// `fields` is what is said beside time, level and event; no secrets. Check `wants` before
  /// building something large.
  void line(LogLevel level, std::string_view event, const json::Object& fields = {});

 private:
  void push(std::string line);
  void run();

  LogLevel level_;
  const Clock& clock_;
  Write write_;
  Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::string> queue_ MIZAN_GUARDED_BY(mutex_);
  std::uint64_t dropped_ MIZAN_GUARDED_BY(mutex_) = 0;
  bool closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::http
