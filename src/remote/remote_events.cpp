#include "remote/remote_events.hpp"

#include "json/answers.hpp"
#include "json/cursor.hpp"
#include "json/shapes.hpp"
#include "remote/judgement.hpp"
#include "remote/percent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::remote {
namespace {

using std::chrono::milliseconds;

/// How long we ask a server to wait: shorter than proxies usually give an answer.
constexpr milliseconds wait_max{20'000};

bool is_known(const json::Node& item) {
  const json::Node* type = item.find("type");
  return type == nullptr || type->text() == json::event_type(Event{});
}

Result<EventPage> read_page(const Server& server, const Reply& reply, const EventQuery& query) {
  auto list = accept(server, json::read_list(reply.document), Effect::none);
  if (!list) return std::move(list).error();
  const auto next = json::parse_events_cursor(list->next_cursor.value_or(std::string()));
  if (!next) return not_mizan(server, "events have a next_cursor, always", Effect::none);
  EventPage page;
  page.next = *next;
  page.has_more = list->items->size() >= query.limit;
  if (page.next < query.after || (page.has_more && page.next == query.after)) {
    return not_mizan(server, "a page of events leads back", Effect::none);
  }
  for (const json::Node& item : *list->items) {
    if (!is_known(item)) continue;
    auto event = accept(server, json::read_event(item), Effect::none);
    if (!event) return std::move(event).error();
    page.items.push_back(std::move(*event));
  }
  return page;
}

}  // namespace

Result<EventPage> read_events(Server& server, const EventQuery& query, milliseconds wait) {
  std::string path = fmt::format("/v1/events?limit={}", query.limit);
  if (query.after.value() > 0) {
    path += "&after=" + percent_encoded(json::events_cursor(query.after));
  }
  if (wait > milliseconds(0)) path += fmt::format("&wait={}ms", std::min(wait, wait_max).count());
  auto reply = server.ask({.path = std::move(path), .deadline = server.deadline() + wait});
  if (!reply) return std::move(reply).error();
  if (reply->problem) return failure_of(*reply);
  return read_page(server, *reply, query);
}

}  // namespace mizan::remote
