#include "webhook/service.hpp"

#include "base/thread.hpp"

#include <iterator>
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
  // All at once: a stop takes as long as the slowest delivery, not as long as all of them.
  for (const auto& [id, courier] : couriers_) courier->request_stop();
  couriers_.clear();
  ending_.clear();
}

/// Where the store cannot be asked, those who deliver go on as they are.
void Service::look() {
  const auto webhooks = ground_.registry.list();
  if (!webhooks) return;
  std::set<std::string> enabled;
  for (const Webhook& webhook : *webhooks) {
    if (webhook.is_enabled) enabled.insert(webhook.id);
  }
  std::erase_if(ending_, [](const auto& courier) { return courier->is_done(); });
  for (auto place = couriers_.begin(); place != couriers_.end();) {
    const bool stays = enabled.contains(place->first);
    if (!stays) {
      place->second->request_stop();
      ending_.push_back(std::move(place->second));
    }
    place = stays ? std::next(place) : couriers_.erase(place);
  }
  for (const std::string& id : enabled) {
    if (couriers_.contains(id)) continue;
    couriers_.emplace(id, std::make_unique<Courier>(ground_, id, options_));
  }
}

}  // namespace mizan::webhook
