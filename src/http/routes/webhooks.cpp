#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/cursor.hpp"
#include "json/document.hpp"
#include "json/fields.hpp"
#include "json/shapes.hpp"
#include "webhook/registry.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::http {
namespace {

using webhook::Webhook;

/// To be asked until the request's deadline.
webhook::Registry webhooks_of(const Services& services, const Exchange& exchange) {
  return services.webhooks.until(services.deadline(exchange));
}

Response no_such_webhook(const Exchange& exchange) {
  return transport_response({404, "webhook_not_found", "there is no webhook of this id"},
                            exchange.request_id);
}

/// The secret that was made or given is shown once, to whoever asked for it.
Response with_secret(int status, const Webhook& webhook) {
  json::Object object = webhook::to_object(webhook);
  object.set("secret", webhook.secrets.front());
  return json_response(status, object.text());
}

/// What a change answers.
template <class Show>
Response changed(const Exchange& exchange,
                 const Result<std::optional<Webhook>>& webhook,
                 Show show) {
  if (!webhook) return wrong(exchange, webhook.error());
  if (!*webhook) return no_such_webhook(exchange);
  return show(**webhook);
}

Response shown(const Webhook& webhook) {
  return json_response(200, webhook::to_object(webhook).text());
}

Result<std::string> any_text(std::string_view text) {
  return std::string(text);
}

std::vector<std::string> read_types(json::Fields& fields) {
  std::vector<std::string> types;
  constexpr std::size_t types_max = 16;
  const auto* items = fields.array("types", json::Presence::optional, 0, types_max);
  if (items == nullptr) return types;
  for (const json::Node& item : *items) {
    if (item.kind() == json::Node::Kind::string) {
      types.push_back(item.text());
    } else {
      fields.report("types", json::field_code::wrong_type, "types is an array of strings");
    }
  }
  return types;
}

/// A body of ours as an object; an empty one stands for `{}`.
template <class T, class Read>
json::Parsed<T> read_body(const std::string& body, Read read) {
  auto document = json::parse_document(body.empty() ? "{}" : body);
  if (!document) return document.error();
  std::vector<json::FieldProblem> problems;
  json::Fields fields(*document, "", problems);
  T value = read(fields);
  fields.finish();
  if (!problems.empty()) return json::InvalidRequest{std::move(problems)};
  return value;
}

json::Parsed<webhook::NewWebhook> parse_new_webhook(const std::string& body) {
  return read_body<webhook::NewWebhook>(body, [](json::Fields& fields) {
    webhook::NewWebhook wanted;
    wanted.url = fields.text("url", json::Presence::required, any_text).value_or("");
    wanted.types = read_types(fields);
    wanted.secret = fields.text("secret", json::Presence::optional, any_text);
    wanted.from_beginning = fields.boolean("from_beginning").value_or(false);
    return wanted;
  });
}

struct Rotation {
  std::optional<std::string> secret;
  bool keep_old = true;
};

json::Parsed<Rotation> parse_rotation(const std::string& body) {
  return read_body<Rotation>(body, [](json::Fields& fields) {
    Rotation rotation;
    rotation.secret = fields.text("secret", json::Presence::optional, any_text);
    rotation.keep_old = fields.boolean("keep_old").value_or(true);
    return rotation;
  });
}

json::Parsed<std::optional<std::string>> parse_retry(const std::string& body) {
  return read_body<std::optional<std::string>>(body, [](json::Fields& fields) {
    return fields.text("event", json::Presence::optional, any_text);
  });
}

Response create(Services& services, Exchange& exchange) {
  const auto wanted = parse_new_webhook(exchange.request.body);
  if (!wanted) return wrong(exchange, wanted.error());
  const auto webhook = webhooks_of(services, exchange).create(*wanted);
  if (!webhook) return wrong(exchange, webhook.error());
  return with_secret(201, *webhook);
}

Response list(Services& services, Exchange& exchange) {
  const auto webhooks = webhooks_of(services, exchange).list();
  if (!webhooks) return wrong(exchange, webhooks.error());
  json::Array items;
  for (const Webhook& webhook : *webhooks) items.add(webhook::to_object(webhook));
  return json_response(200, json::list_object(items, std::nullopt).text());
}

Response show(Services& services, Exchange& exchange) {
  return changed(exchange, webhooks_of(services, exchange).find(exchange.parameter(0)), shown);
}

Response remove(Services& services, Exchange& exchange) {
  const auto removed = webhooks_of(services, exchange).remove(exchange.parameter(0));
  if (!removed) return wrong(exchange, removed.error());
  if (!*removed) return no_such_webhook(exchange);
  Response response;
  response.status = 204;
  return response;
}

Response rotate(Services& services, Exchange& exchange) {
  const auto rotation = parse_rotation(exchange.request.body);
  if (!rotation) return wrong(exchange, rotation.error());
  return changed(exchange,
                 webhooks_of(services, exchange)
                     .rotate(exchange.parameter(0), rotation->secret, rotation->keep_old),
                 [](const Webhook& webhook) { return with_secret(200, webhook); });
}

Response enable(Services& services, Exchange& exchange) {
  return changed(exchange, webhooks_of(services, exchange).enable(exchange.parameter(0)), shown);
}

Response disable(Services& services, Exchange& exchange) {
  return changed(
      exchange,
      webhooks_of(services, exchange).disable(exchange.parameter(0), "somebody disabled it"),
      shown);
}

Response list_dead(Services& services, Exchange& exchange) {
  const auto query = Query::read(exchange.request.target, {"limit", "cursor"});
  if (!query) return wrong(exchange, query.error());
  const auto limit = query->limit();
  if (!limit) return wrong(exchange, limit.error());
  EventPlace after;
  if (const std::string* cursor = query->find("cursor")) {
    const auto place = json::parse_events_cursor(*cursor);
    if (!place) return wrong(exchange, bad_parameter("cursor", place.error().detail));
    after = *place;
  }
  const auto known = webhooks_of(services, exchange).find(exchange.parameter(0));
  if (!known) return wrong(exchange, known.error());
  if (!*known) return no_such_webhook(exchange);
  const auto records =
      webhooks_of(services, exchange).list_dead(exchange.parameter(0), after, *limit);
  if (!records) return wrong(exchange, records.error());
  json::Array items;
  for (const auto& record : *records) items.add(webhook::to_object(record));
  std::optional<std::string> next;
  if (records->size() == *limit) next = json::events_cursor(records->back().place);
  return json_response(200, json::list_object(items, next).text());
}

Response retry_dead(Services& services, Exchange& exchange) {
  const auto event = parse_retry(exchange.request.body);
  if (!event) return wrong(exchange, event.error());
  const auto known = webhooks_of(services, exchange).find(exchange.parameter(0));
  if (!known) return wrong(exchange, known.error());
  if (!*known) return no_such_webhook(exchange);
  std::optional<std::string_view> only;
  if (*event) only = **event;
  const auto count = webhooks_of(services, exchange).retry_dead(exchange.parameter(0), only);
  if (!count) return wrong(exchange, count.error());
  return json_response(200, json::Object().set("retried", *count).text());
}

constexpr Route read(std::string_view pattern, decltype(Route::handle) handle) {
  return {Method::get, pattern, handle, Scope::admin};
}

constexpr Route write(Method method, std::string_view pattern, decltype(Route::handle) handle) {
  return {method, pattern, handle, Scope::admin, Order::alone, body_small};
}

constexpr std::array routes{
    list_route("/v1/webhooks", plain<on_writer<list>>, Scope::admin),
    write(Method::post, "/v1/webhooks", plain<on_writer<create>>),
    read("/v1/webhooks/{id}", plain<on_writer<show>>),
    write(Method::del, "/v1/webhooks/{id}", plain<on_writer<remove>>),
    write(Method::post, "/v1/webhooks/{id}/rotate", plain<on_writer<rotate>>),
    write(Method::post, "/v1/webhooks/{id}/enable", plain<on_writer<enable>>),
    write(Method::post, "/v1/webhooks/{id}/disable", plain<on_writer<disable>>),
    list_route("/v1/webhooks/{id}/dead", on_writer<list_dead>, Scope::admin),
    write(Method::post, "/v1/webhooks/{id}/dead/retry", plain<on_writer<retry_dead>>)};

}  // namespace

std::span<const Route> webhook_routes() {
  return routes;
}

}  // namespace mizan::http
