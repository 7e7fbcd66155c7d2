#pragma once

#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"

#include "base/random.hpp"
#include "webhook/delivery_queue.hpp"
#include "webhook/registry.hpp"
#include "webhook/retry.hpp"
#include "webhook/sender.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace mizan::webhook {

/// What deliveries are made of. Everything must outlive those who use it.
struct Ground {
  Ledger& ledger;
  Registry& registry;
  LockService& locks;  ///< Of the store, so that its tokens order the holders of all nodes.
  const Clock& clock;
  Random& random;  ///< Any thread may use it.
  Send send;
};

struct CourierOptions {
  QueueOptions queue;
  RetryOptions retry;
  std::chrono::milliseconds timeout{15'000};  ///< Of one delivery, from address to answer.
  std::chrono::milliseconds lease_time{15'000};
  std::chrono::milliseconds look_interval{2'000};  ///< For changes of the webhook by other nodes.
  std::chrono::milliseconds save_interval{200};    ///< Between two writes of the cursor.
};

/// Delivers for one webhook while this node holds its lease; otherwise stands by.
///
/// Owns:    a thread, and one for each delivery at once. Destruction finishes what is being sent:
///          blocks up to the timeout of one delivery.
/// Threads: any.
class Courier {
 public:
  Courier(const Ground& ground, std::string webhook, CourierOptions options);
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  ~Courier();

  /// Begins nothing new. Does not block.
  void request_stop();

  /// After request_stop(): destruction does not block any more.
  [[nodiscard]] bool is_done() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::webhook
