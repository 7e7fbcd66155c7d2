#pragma once

#include "base/mutex.hpp"
#include "webhook/courier.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mizan::webhook {

/// A courier for each webhook that is enabled, as they come and go. Any number of nodes run one.
///
/// Owns:    a thread and the couriers. Destruction finishes what is being sent: blocks up to the
///          timeout of one delivery.
class Service {
 public:
  Service(const Ground& ground, CourierOptions options);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

 private:
  void run(const std::stop_token& stop);
  void look();

  const Ground& ground_;
  CourierOptions options_;
  std::map<std::string, std::unique_ptr<Courier>> couriers_;  // The thread's own.
  std::vector<std::unique_ptr<Courier>> ending_;  // Likewise: of webhooks that are enabled no more.
  Mutex mutex_;
  std::condition_variable_any resting_;
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::webhook
