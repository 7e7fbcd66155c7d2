#include "http/log.hpp"

#include "base/thread.hpp"

#include <utility>

namespace mizan::http {
namespace {

constexpr std::size_t lines_max = 8'192;

std::string_view name_of(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::error:
      return "error";
    case LogLevel::warning:
      return "warning";
    case LogLevel::info:
      return "info";
    case LogLevel::debug:
      return "debug";
  }
  return "";
}

}  // namespace

Log::Log(LogLevel level, const Clock& clock, Write write)
    : level_(level), clock_(clock), write_(std::move(write)), thread_([this] { run(); }) {}

Log::~Log() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Log::line(LogLevel level, std::string_view event, const json::Object& fields) {
  if (!wants(level)) return;
  json::Object head;
  head.set("time", clock_.wall_now()).set("level", name_of(level)).set("event", event);
  std::string text = head.text();
  const std::string rest = fields.text();
  if (rest.size() > 2) {
    text.back() = ',';
    text.append(rest, 1);
  }
  push(text + '\n');
}

void Log::push(std::string line) {
  {
    const MutexLock lock(mutex_);
    if (queue_.size() >= lines_max) {
      ++dropped_;
      return;
    }
    queue_.push_back(std::move(line));
  }
  wake_.notify_one();
}

void Log::run() {
  name_this_thread("mizan-log");
  MutexLock lock(mutex_);
  while (true) {
    while (queue_.empty() && !closing_) wake_.wait(lock);
    if (queue_.empty()) return;
    const std::deque<std::string> lines = std::exchange(queue_, {});
    const std::uint64_t dropped = std::exchange(dropped_, 0);
    lock.unlock();
    std::string text;
    for (const std::string& line : lines) text += line;
    if (dropped > 0) {
      text += json::Object()
                  .set("level", "warning")
                  .set("event", "lines dropped")
                  .set("count", dropped)
                  .text() +
              '\n';
    }
    write_(text);
    lock.lock();
  }
}

}  // namespace mizan::http
