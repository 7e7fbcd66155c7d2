#include "http/workers.hpp"

#include "base/thread.hpp"

#include <utility>

namespace mizan::http {

Workers::Workers(Options options) : options_(std::move(options)) {
  for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  threads_.clear();
}

bool Workers::post(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    if (closing_ || queue_.size() >= options_.queue_max) return false;
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

std::size_t Workers::waiting() const {
  const MutexLock lock(mutex_);
  return queue_.size();
}

void Workers::work() {
  name_this_thread(options_.name.c_str());
  MutexLock lock(mutex_);
  while (true) {
    while (queue_.empty() && !closing_) wake_.wait(lock);
    if (queue_.empty()) return;
    const std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace mizan::http
