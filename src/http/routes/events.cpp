#include "base/duration.hpp"
#include "base/text.hpp"
#include "http/answers.hpp"
#include "http/event_waiters.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/cursor.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace mizan::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds wait_max{60'000};

/// What reading takes at the end of the waiting, before the time to answer is over.
constexpr milliseconds reading_time{1'000};

/// `10s`, `500ms`, or a plain number of seconds; absent or 0: no waiting.
json::Parsed<milliseconds> wait_of(const Query& query) {
  const std::string* text = query.find("wait");
  if (text == nullptr) return milliseconds(0);
  auto wait = parse_duration(*text);
  if (const auto seconds = parse_unsigned(*text)) {
    wait =
        milliseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(*seconds, 3'600)) * 1'000);
  }
  if (wait && *wait <= wait_max) return *wait;
  return bad_parameter("wait", "wait is 0 to 60 seconds, such as 30 or 30s or 500ms");
}

json::Parsed<EventWish> wish_of(const Services& services, const Exchange& exchange) {
  const auto query = Query::read(exchange.request.target, {"after", "limit", "wait"});
  if (!query) return query.error();
  const auto limit = query->limit();
  if (!limit) return limit.error();
  const auto wait = wait_of(*query);
  if (!wait) return wait.error();
  EventWish wish;
  wish.query.limit = *limit;
  wish.deadline = services.deadline(exchange);
  if (*wait > milliseconds(0)) {
    wish.wait_until = std::min(exchange.began + *wait, services.deadline(exchange) - reading_time);
  }
  const std::string* after = query->find("after");
  if (after == nullptr || after->empty()) return wish;
  const auto place = json::parse_events_cursor(*after);
  if (!place) return bad_parameter("after", place.error().detail);
  wish.query.after = *place;
  return wish;
}

void list_events(Services& services, const std::shared_ptr<Exchange>& exchange) {
  auto wish = wish_of(services, *exchange);
  if (!wish) {
    return exchange->answer(invalid_response(wish.error(), problem_context(*exchange)));
  }
  wish->exchange = exchange;
  services.events.ask(std::move(*wish));
}

constexpr std::array routes{list_route("/v1/events", list_events)};

}  // namespace

std::span<const Route> event_routes() {
  return routes;
}

}  // namespace mizan::http
