#include "base/granted.hpp"
#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <array>
#include <utility>

namespace mizan::http {
namespace {

Result<Resource> resource_of(const Exchange& exchange) {
  auto resource = parse_resource(exchange.parameter(0));
  if (!resource) return invalid_request("/resource", resource.error().detail);
  return resource;
}

void acquire(Services& services, const std::shared_ptr<Exchange>& exchange) {
  auto resource = resource_of(*exchange);
  if (!resource) return exchange->answer(wrong(*exchange, resource.error()));
  const auto request = json::parse_lock_request(exchange->request.body);
  if (!request) return exchange->answer(wrong(*exchange, request.error()));
  LockWish wish{.exchange = exchange,
                .resource = *resource,
                .owner = request->owner,
                .ttl = request->ttl,
                .wait_until = std::nullopt,
                .answer_by = services.deadline(*exchange)};
  if (wish.owner.empty()) wish.owner = LockOwner(services.uuids.next().view());
  if (request->wait && request->wait->count() > 0) {
    wish.wait_until = exchange->began + *request->wait;
  }
  services.locks.acquire(std::move(wish));
}

Response not_held(Services& services, const Exchange& exchange, const Resource& resource) {
  services.locks.note_lost();
  return wrong(exchange,
               {Code::stale_fence,
                Certainty::not_applied,
                Retry::never,
                "/owner",
                resource.str() + " is not held by this owner (any more)"});
}

/// Only an acquisition tells the token: an owner who asks again while the lease lasts gets the one
/// that it has.
Response lease_again(Services& services,
                     const Exchange& exchange,
                     const Resource& resource,
                     const json::RenewRequest& renewal) {
  const Instant sent = services.clock.now();
  AcquireRequest again;
  again.resource = resource;
  again.ttl = renewal.ttl;
  again.owner = renewal.owner;
  again.auto_renew = false;
  again.answer_by = services.deadline(exchange);
  auto outcome = services.locks.service().acquire(std::move(again));
  if (!outcome) return wrong(exchange, outcome.error());
  auto lease = granted(std::move(*outcome), resource);
  if (!lease) return not_held(services, exchange, resource);
  if (services.clock.now() >= sent + renewal.ttl) {
    // It may have run out in between, and been somebody else's.
    lease->hand_over();
    const auto left = services.time_left(exchange);
    static_cast<void>(services.locks.service().release_within(resource, renewal.owner, left));
    return not_held(services, exchange, resource);
  }
  const Fence fence = lease->fence();
  const auto remaining = lease->remaining();
  lease->hand_over();
  return json_response(200, json::lease_object(fence, remaining).text());
}

Response renew(Services& services, Exchange& exchange) {
  auto resource = resource_of(exchange);
  if (!resource) return wrong(exchange, resource.error());
  const auto renewal = json::parse_renew_request(exchange.request.body);
  if (!renewal) return wrong(exchange, renewal.error());
  auto renewed = services.locks.service().renew_within(
      *resource, renewal->owner, renewal->ttl, services.time_left(exchange));
  if (!renewed) return wrong(exchange, renewed.error());
  if (!*renewed) return not_held(services, exchange, *resource);
  return lease_again(services, exchange, *resource, *renewal);
}

/// In the body, or as `?owner=` for clients that cannot send one with DELETE.
json::Parsed<LockOwner> owner_of(const Exchange& exchange) {
  const auto query = Query::read(exchange.request.target, {"owner"});
  if (!query) return query.error();
  const std::string* text = query->find("owner");
  if (text == nullptr && exchange.request.body.empty()) {
    return json::InvalidRequest{{{"/owner",
                                  json::field_code::missing,
                                  "the owner stands in the body, or in the query as ?owner="}}};
  }
  if (text == nullptr) return json::parse_release_request(exchange.request.body);
  if (!exchange.request.body.empty()) {
    return bad_parameter("owner", "the owner stands in the body or in the query, not in both");
  }
  const auto owner = parse_lock_owner(*text);
  if (!owner) return bad_parameter("owner", owner.error().detail);
  return *owner;
}

Response release(Services& services, Exchange& exchange) {
  auto resource = resource_of(exchange);
  if (!resource) return wrong(exchange, resource.error());
  const auto owner = owner_of(exchange);
  if (!owner) return wrong(exchange, owner.error());
  auto released =
      services.locks.service().release_within(*resource, *owner, services.time_left(exchange));
  if (!released) return wrong(exchange, released.error());
  if (!*released) return not_held(services, exchange, *resource);
  services.locks.released(*resource);
  json::Object object;
  object.set("resource", *resource).set("owner", *owner).set("released", true);
  return json_response(200, object.text());
}

constexpr Route lock(Method method, decltype(Route::handle) handle) {
  return {method, "/v1/locks/{resource}", handle, Scope::write, Order::alone, body_small};
}

constexpr std::array routes{lock(Method::post, plain<acquire>),
                            lock(Method::put, plain<on_writer<renew>>),
                            lock(Method::del, on_writer<release>)};

}  // namespace

std::span<const Route> lock_routes() {
  return routes;
}

}  // namespace mizan::http
