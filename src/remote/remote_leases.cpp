#include "json/answers.hpp"
#include "json/value.hpp"
#include "remote/judgement.hpp"
#include "remote/percent.hpp"
#include "remote/remote.hpp"
#include "remote/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::remote {
namespace {

using std::chrono::milliseconds;

/// A repeat by the same owner is answered as the first; so every step may be repeated.
class RemoteLeases final : public LeaseTable {
 public:
  explicit RemoteLeases(std::unique_ptr<Server> server) noexcept : server_(std::move(server)) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               milliseconds ttl) override {
    auto reply = ask("POST", resource, json::Object().set("owner", owner), ttl);
    if (!reply) return std::move(reply).error();
    if (reply->problem && reply->problem->refusal.code == Code::lock_busy) {
      return LeaseAttempt{LeaseHeld{reply->problem->expires_in.value_or(unknown_rest)}};
    }
    if (reply->problem) return failure_of(*reply);
    auto answer = accept(*server_, json::read_lease(reply->document), Effect::writes);
    if (!answer) return std::move(answer).error();
    if (answer->owner != owner) {
      return not_mizan(*server_, "the lease is another owner's", Effect::writes);
    }
    return LeaseAttempt{LeaseGranted{answer->lease.token, std::min(answer->lease.remaining, ttl)}};
  }

  Result<bool> renew(const Resource& resource, const LockOwner& owner, milliseconds ttl) override {
    return is_mine(ask("PUT", resource, json::Object().set("owner", owner), ttl));
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    const std::string body = json::Object().set("owner", owner).text();
    auto reply = server_->ask({.method = "DELETE",
                               .path = path_of(resource),
                               .body = body,
                               .deadline = server_->deadline(),
                               .effect = Effect::writes});
    if (reply && reply->was_lost && is_not_mine(*reply)) return perhaps_released();
    return is_mine(std::move(reply));
  }

 private:
  /// Of another one's lease, where the answer does not tell it.
  static constexpr milliseconds unknown_rest{1'000};

  static std::string path_of(const Resource& resource) {
    return "/v1/locks/" + percent_encoded(resource.view());
  }

  static bool is_not_mine(const Reply& reply) {
    return reply.problem && reply.problem->refusal.code == Code::stale_fence;
  }

  /// The attempt whose answer was lost gave it back, or it was not this owner's to give: nobody can
  /// tell the one from the other.
  static Error perhaps_released() {
    return {Code::unknown,
            Certainty::unknown,
            Retry::after_backoff,
            "server",
            "it is not held by this owner now; whether an attempt whose answer was lost gave it "
            "back, or it was not held before, is not known"};
  }

  /// Not for longer than half of the lease: whoever holds one knows better when to ask again.
  Result<Reply> ask(std::string method,
                    const Resource& resource,
                    json::Object body,
                    milliseconds ttl) {
    constexpr milliseconds shortest{200};
    const auto patience = std::max(shortest, ttl / 2);
    body.set("ttl_ms", ttl.count());
    return server_->ask(
        {.method = std::move(method),
         .path = path_of(resource),
         .body = body.text(),
         .deadline = std::min(server_->deadline(), server_->clock().now() + patience),
         .effect = Effect::writes,
         .again = Again::lost});
  }

  Result<bool> is_mine(Result<Reply> reply) {
    if (!reply) return std::move(reply).error();
    if (is_not_mine(*reply)) return false;
    if (reply->problem) return failure_of(*reply);
    return true;
  }

  std::unique_ptr<Server> server_;
};

}  // namespace

Result<std::unique_ptr<LeaseTable>> open_leases(const cli::RemotePlace& place,
                                                const Surroundings& around) {
  auto client = http_client::make_client(around.clock, {.ca_file = place.ca_file});
  auto server = std::make_unique<Server>(place, std::move(client), around);
  return std::unique_ptr<LeaseTable>(std::make_unique<RemoteLeases>(std::move(server)));
}

}  // namespace mizan::remote
