#include "base/no_history.hpp"
#include "base/text.hpp"
#include "cli/amounts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/report.hpp"
#include "json/problem.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

constexpr std::size_t page_size = 1'000;
constexpr std::uint64_t limit_default = 50;

/// What to print, and how much of it.
struct Request {
  EntryQuery query;
  Cursor cursor;
  std::uint64_t left = limit_default;
};

Status read_time(const Arguments& arguments,
                 std::string_view name,
                 std::optional<Timestamp>& into) {
  const auto text = arguments.find(name);
  if (!text) return {};
  into = parse_rfc3339(*text);
  if (into) return {};
  return bad_argument(name,
                      fmt::format("{} takes a time such as 2026-03-01T12:00:00Z or 2026-03-01, "
                                  "not '{}'",
                                  name,
                                  escape_for_log(*text)));
}

Result<Request> read_request(const Arguments& arguments) {
  auto id = read_argument(arguments, "WALLET", parse_wallet_id);
  if (!id) return std::move(id).error();
  Request request;
  request.query.wallet = *id;
  if (Status read = read_time(arguments, "--from", request.query.from); !read) {
    return std::move(read).error();
  }
  if (Status read = read_time(arguments, "--to", request.query.to); !read) {
    return std::move(read).error();
  }
  if (const auto limit = arguments.find("--limit")) {
    const auto number = parse_unsigned(*limit);
    if (!number || *number == 0) {
      return bad_argument("--limit", "--limit takes a whole number, 1 or more");
    }
    request.left = *number;
  }
  request.cursor = arguments.find("--cursor");
  return request;
}

void print_cursor(Context& context, std::string_view cursor) {
  if (context.json()) {
    context.line(json::Object().set("next_cursor", cursor).text());
  } else {
    context.note(fmt::format("there are older entries: go on with --cursor {}", cursor));
  }
}

void add_row(Table& table, const Entry& entry, const Currency& currency) {
  const bool debit = entry.change.value() < 0;
  table.add(
      {to_rfc3339(entry.at),
       std::to_string(entry.version),
       to_string(entry.type),
       Cell(format_decimal(entry.change, currency.exponent), debit ? Colour::bad : Colour::good),
       format_decimal(entry.balance, currency.exponent),
       entry.counterparty.view(),
       entry.operation.view(),
       show_metadata(entry.metadata)});
}

void print_page(Context& context,
                Table& table,
                const std::vector<Entry>& entries,
                const Currency& currency) {
  for (const Entry& entry : entries) {
    if (context.json()) {
      context.line(json::to_object(entry).text());
    } else {
      add_row(table, entry, currency);
    }
  }
}

Status print_entries(Context& context, Reader& reader, Request request, const Currency& currency) {
  Table table(context.out(),
              context.out_style(),
              {{"time"},
               {"version", Column::Align::right},
               {"type"},
               {"change", Column::Align::right},
               {"balance", Column::Align::right},
               {"counterparty"},
               {"operation"},
               {"metadata"}});
  while (context.out().open()) {
    request.query.limit =
        static_cast<std::size_t>(std::min<std::uint64_t>(request.left, page_size));
    auto page = reader.list_entries(request.query, request.cursor);
    if (!page) return std::move(page).error();
    print_page(context, table, page->items, currency);
    request.left -= std::min<std::uint64_t>(request.left, page->items.size());
    if (!page->next) break;
    request.cursor = std::move(page->next);
    if (request.left == 0) {
      table.print();
      print_cursor(context, *request.cursor);
      break;
    }
  }
  if (!context.json() && table.empty()) context.note("no entries");
  return {};
}

int run_statement(const Arguments& arguments, Context& context) {
  auto request = read_request(arguments);
  if (!request) return context.fail(request.error());
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  if (world_currency(request->query.wallet)) {
    Error error = has_no_history("/wallet", request->query.wallet);
    error.detail += "; wallet show tells it";
    return context.fail(error);
  }
  Amounts amounts(**reader);
  auto wallet = (*reader)->find_wallet(request->query.wallet);
  if (!wallet) return context.fail(wallet.error());
  if (!*wallet) {
    Refusal refusal;
    refusal.code = Code::wallet_not_found;
    refusal.pointer = "/wallet";
    refusal.wallet = request->query.wallet;
    refusal.detail = fmt::format("there is no wallet {}", request->query.wallet.view());
    return report_refusal(context, amounts, refusal);
  }
  const Status printed = print_entries(context, **reader, *request, (*wallet)->currency);
  return printed ? 0 : context.fail(printed.error());
}

}  // namespace

Command statement_command() {
  Command command;
  command.name = "statement";
  command.summary = "List the entries of a wallet, newest first";
  command.arguments = {{.name = "WALLET", .help = "The wallet"}};
  command.options = {
      {.name = "--from",
       .values = {"TIME"},
       .help = "From this time on, e.g. 2026-03-01T12:00:00Z or 2026-03-01 (midnight UTC)"},
      {.name = "--to", .values = {"TIME"}, .help = "Before this time"},
      {.name = "--limit", .values = {"N"}, .help = "At most so many entries; default 50"},
      {.name = "--cursor", .values = {"CURSOR"}, .help = "Go on where the page before ended"}};
  command.examples = {{"mizan statement alice", "The newest 50 entries"},
                      {"mizan statement alice --from 2026-03-01 --to 2026-04-01 --limit 10000",
                       "The whole of March, UTC"}};
  command.run = run_statement;
  return command;
}

}  // namespace mizan::cli
