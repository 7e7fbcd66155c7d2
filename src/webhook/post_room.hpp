#pragma once

#include "base/mutex.hpp"
#include "webhook/delivery_queue.hpp"
#include "webhook/doorbell.hpp"
#include "webhook/sender.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace mizan::webhook {

/// What became of a delivery.
struct Sent {
  Delivery delivery;
  Result<Answer> answer;
};

/// A few threads that send; each answer rings the bell. Destruction drops what was not begun,
/// finishes what was, then returns.
class PostRoom {
 public:
  PostRoom(const Send& send, std::shared_ptr<Doorbell> bell, std::size_t threads);
  PostRoom(const PostRoom&) = delete;
  PostRoom& operator=(const PostRoom&) = delete;
  ~PostRoom();

  void post(Delivery delivery, Message message);

  /// What came back since the last call.
  [[nodiscard]] std::vector<Sent> take_sent();

 private:
  struct Task {
    Delivery delivery;
    Message message;
  };

  void work();

  const Send& send_;
  std::shared_ptr<Doorbell> bell_;  // Shared: others ring it too, also later.
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Task> tasks_ MIZAN_GUARDED_BY(mutex_);
  std::vector<Sent> sent_ MIZAN_GUARDED_BY(mutex_);
  bool is_closing_ MIZAN_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // Last: they use everything above.
};

}  // namespace mizan::webhook
