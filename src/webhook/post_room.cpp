#include "webhook/post_room.hpp"

#include "base/thread.hpp"

#include <utility>

namespace mizan::webhook {

PostRoom::PostRoom(const Send& send, std::shared_ptr<Doorbell> bell, std::size_t threads)
    : send_(send), bell_(std::move(bell)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

PostRoom::~PostRoom() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PostRoom::post(Delivery delivery, Message message) {
  {
    const MutexLock lock(mutex_);
    tasks_.push_back({std::move(delivery), std::move(message)});
  }
  changed_.notify_one();
}

std::vector<Sent> PostRoom::take_sent() {
  const MutexLock lock(mutex_);
  return std::exchange(sent_, {});
}

void PostRoom::work() {
  name_this_thread("mizan-post");
  MutexLock lock(mutex_);
  for (;;) {
    while (tasks_.empty() && !is_closing_) changed_.wait(lock);
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    auto answer = send_(task.message);
    lock.lock();
    sent_.push_back({std::move(task.delivery), std::move(answer)});
    bell_->ring();
  }
}

}  // namespace mizan::webhook
