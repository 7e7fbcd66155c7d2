#include "webhook/service.hpp"

#include "base/thread.hpp"

#include <set>
#include <utility>

namespace mizan::webhook {

Service::Service(const Ground& ground, CourierOptions options)
    : ground_(ground),
      options_(options),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Service::~Service() = default;

void Service::run(const std::stop_token& stop) {
  name_this_thread("mizan-webhooks");
  while (!stop.stop_requested()) {
    look();
    MutexLock lock(mutex_);
    resting_.wait_for(lock, stop, options_.look_interval, [] { return false; });
  }
  couriers_.clear();
}

/// Where the store cannot be asked, those who deliver go on as they are.
void Service::look() {
  const auto webhooks = ground_.registry.list();
  if (!webhooks) return;
  std::set<std::string> enabled;
  for (const Webhook& webhook : *webhooks) {
    if (webhook.is_enabled) enabled.insert(webhook.id);
  }
  std::erase_if(couriers_, [&](const auto& courier) { return !enabled.contains(courier.first); });
  for (const std::string& id : enabled) {
    if (couriers_.contains(id)) continue;
    couriers_.emplace(id, std::make_unique<Courier>(ground_, id, options_));
  }
}

}  // namespace mizan::webhook
