#include "base/text.hpp"
#include "cli/backend.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "json/cursor.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::uint64_t page_size = 1'000;
constexpr std::uint64_t limit_default = 50;

/// How long one wait lasts before the output is looked at again: it may have been closed.
constexpr std::chrono::seconds wait_slice{1};

struct Request {
  EventPlace after;
  std::optional<std::uint64_t> left = limit_default;  ///< Absent: no end.
  bool follows = false;
};

Result<Request> read_request(const Arguments& arguments) {
  Request request;
  request.follows = arguments.has("--follow");
  if (request.follows) request.left = std::nullopt;
  if (const auto after = arguments.find("--after")) {
    auto place = json::parse_events_cursor(*after);
    if (!place) return std::move(place).error();
    request.after = *place;
  }
  if (const auto limit = arguments.find("--limit")) {
    const auto number = parse_unsigned(*limit);
    if (!number || *number == 0) {
      return bad_argument("--limit", "--limit takes a whole number, 1 or more");
    }
    request.left = *number;
  }
  return request;
}

/// `12.34 EUR`; in minor units, and so said, where the currency is unknown here.
std::string show(Reader& reader, MinorUnits amount, const CurrencyCode& code) {
  const auto currency = reader.find_currency(code);
  if (!currency || !*currency) return fmt::format("{} minor units", amount.value());
  return fmt::format("{} {}", format_decimal(amount, (*currency)->exponent), code.view());
}

CurrencyCode currency_of(Reader& reader, const Hold& hold) {
  if (!hold.currency.empty()) return hold.currency;
  const auto wallet = reader.find_wallet(hold.wallet);
  return wallet && *wallet ? (*wallet)->currency.code : CurrencyCode{};
}

std::string describe_legs(Reader& reader, const Receipt& receipt) {
  std::string text;
  for (const LegReceipt& leg : receipt.legs) {
    if (!text.empty()) text += "; ";
    text += fmt::format(
        "{} {} -> {}", show(reader, leg.amount, leg.currency), leg.from.view(), leg.to.view());
  }
  if (text.empty() && receipt.hold) {
    const Hold& hold = *receipt.hold;
    const std::string amount = show(reader, hold.amount, currency_of(reader, hold));
    text = fmt::format("{} of {}", amount, hold.wallet.view());
  }
  return text;
}

/// One event as people read it: a line that stands by itself, since more may come later.
void print_line(Context& context, Reader& reader, const Event& event) {
  context.line(fmt::format("{}  {:<8}  {}  {}",
                           to_rfc3339(event.receipt.applied_at),
                           to_string(event.receipt.type),
                           event.receipt.id.view(),
                           describe_legs(reader, event.receipt)));
}

Status print_page(Context& context, Backend& backend, const EventPage& page) {
  if (context.json()) {
    for (const Event& event : page.items) context.line(json::to_object(event).text());
    return {};
  }
  if (page.items.empty()) return {};
  // For this page only: a reader that is kept keeps the past of a file.
  auto reader = backend.read();
  if (!reader) return std::move(reader).error();
  for (const Event& event : page.items) print_line(context, **reader, event);
  return {};
}

void print_end(Context& context, const EventPage& page) {
  if (context.json()) {
    context.line(json::Object().set("next_cursor", json::events_cursor(page.next)).text());
  } else {
    context.note(fmt::format("go on with --after {}", json::events_cursor(page.next)));
  }
}

Status print_events(Context& context, Backend& backend, Request request) {
  while (context.out().open()) {
    EventQuery query{request.after, page_size};
    if (request.left) query.limit = std::min(*request.left, page_size);
    auto page = request.follows ? backend.wait_for_events(query, context.clock().now() + wait_slice)
                                : backend.read_events(query);
    if (!page) return std::move(page).error();
    if (Status printed = print_page(context, backend, *page); !printed) return printed;
    context.out().flush();
    request.after = page->next;
    if (request.left) *request.left -= page->items.size();
    const bool is_end = request.left == 0 || (!request.follows && !page->has_more);
    if (!is_end) continue;
    print_end(context, *page);
    break;
  }
  return {};
}

int run_events(const Arguments& arguments, Context& context) {
  auto request = read_request(arguments);
  if (!request) return context.fail(request.error());
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  const Status printed = print_events(context, **backend, *request);
  return printed ? 0 : context.fail(printed.error());
}

}  // namespace

Command events_command() {
  Command command;
  command.name = "events";
  command.summary = "List what was applied, oldest first, in the order of the commits";
  command.options = {
      {.name = "--after", .values = {"CURSOR"}, .help = "Go on where a reader stood"},
      {.name = "--limit",
       .values = {"N"},
       .help = "At most so many events; default 50, without an end with --follow"},
      {.name = "--follow", .help = "Wait for further events instead of ending"}};
  command.examples = {{"mizan events", "The first 50 events of the ledger"},
                      {"mizan events --follow --json", "All there are and will be, one per line"}};
  command.run = run_events;
  return command;
}

}  // namespace mizan::cli
