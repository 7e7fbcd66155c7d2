#include "base/no_history.hpp"
#include "base/text.hpp"
#include "cli/amounts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/operation_request.hpp"
#include "cli/report.hpp"
#include "json/problem.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::cli {
namespace {

constexpr std::size_t page_size = 1'000;

int not_found(Context& context, Amounts& amounts, const WalletId& id) {
  Refusal refusal;
  refusal.code = Code::wallet_not_found;
  refusal.pointer = "/id";
  refusal.wallet = id;
  refusal.detail = fmt::format("there is no wallet {}", id.view());
  return report_refusal(context, amounts, refusal);
}

Result<NewWallet> read_new_wallet(const Arguments& arguments, Amounts& amounts) {
  auto id = read_argument(arguments, "ID", parse_wallet_id);
  if (!id) return std::move(id).error();
  auto currency = in_field("/currency", amounts.load_currency(arguments.require("--currency")));
  if (!currency) return std::move(currency).error();
  NewWallet wallet{.id = *id, .currency = currency->code, .metadata = {}};
  auto metadata = parse_metadata(arguments.all("--metadata"));
  if (!metadata) return std::move(metadata).error();
  wallet.metadata = std::move(*metadata);
  const auto limit = arguments.find("--min-balance");
  if (limit && *limit == "none") {
    wallet.min_balance = std::nullopt;
  } else if (limit) {
    auto units = in_field("/min_balance", parse_decimal(*limit, currency->exponent));
    if (!units) return std::move(units).error();
    wallet.min_balance = *units;
  }
  return wallet;
}

int run_create(const Arguments& arguments, Context& context) {
  auto backend = context.open_backend(Access::write);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  Amounts amounts(**reader);
  auto wallet = read_new_wallet(arguments, amounts);
  if (!wallet) return context.fail(wallet.error());
  CallOptions options;
  options.deadline = context.deadline();
  options.dry_run = arguments.has("--dry-run");
  auto created = (*backend)->create_wallet(*wallet, options);
  if (!created) return context.fail(created.error());
  if (!context.json()) {
    if (created->existed) context.note("it exists already, with the same currency and limit");
    if (options.dry_run) context.note("dry run: nothing was kept");
  }
  report_wallet(context, created->wallet);
  return 0;
}

int show_world(Context& context, Reader& reader, const WalletId& id, const CurrencyCode& currency) {
  auto world = reader.find_world(currency);
  if (!world) return context.fail(world.error());
  Amounts amounts(reader);
  if (!*world) return not_found(context, amounts, id);
  if (context.json()) {
    context.line(json::to_object(**world).text());
    return 0;
  }
  Table table(context.out(), context.out_style(), {{"wallet"}, {id.str()}});
  table.add({"balance",
             Cell(fmt::format("{} {}",
                              format_decimal((*world)->balance, (*world)->currency.exponent),
                              currency.view()),
                  Colour::strong)});
  table.add({"meaning", "minus the sum of all wallets of this currency"});
  return 0;
}

int print_past(Context& context, const Wallet& wallet, const BalanceAt& past) {
  if (context.json()) {
    context.line(json::to_object(past)
                     .set("wallet", wallet.id)
                     .set("currency", wallet.currency.code)
                     .set("exponent", wallet.currency.exponent)
                     .text());
    return 0;
  }
  Table table(context.out(), context.out_style(), {{"wallet"}, {wallet.id.str()}});
  table.add({"balance",
             Cell(fmt::format("{} {}",
                              format_decimal(past.balance, wallet.currency.exponent),
                              wallet.currency.code.view()),
                  Colour::strong)});
  table.add({"version", std::to_string(past.version)});
  table.add({"since", past.at ? to_rfc3339(*past.at) : "before its first entry"});
  return 0;
}

Result<std::optional<BalanceAt>> find_past(const Arguments& arguments,
                                           Reader& reader,
                                           const WalletId& id) {
  const auto at = arguments.find("--at");
  const auto version = arguments.find("--version");
  if (at && version) {
    return bad_argument("--at", "--at and --version exclude each other");
  }
  if (at) {
    const auto time = parse_rfc3339(*at);
    if (!time) {
      return bad_argument("--at", "--at takes a time such as 2026-03-01T12:00:00Z or 2026-03-01");
    }
    return reader.balance_at_time(id, *time);
  }
  const auto number = parse_unsigned(*version);
  if (!number) return bad_argument("--version", "--version takes a whole number");
  return reader.balance_at_version(id, *number);
}

int show_past(const Arguments& arguments, Context& context, Reader& reader, const Wallet& wallet) {
  auto past = find_past(arguments, reader, wallet.id);
  if (!past) return context.fail(past.error());
  if (!*past) {
    return context.fail(bad_argument(
        "--version",
        fmt::format(
            "{} has no such version yet; the newest is {}", wallet.id.view(), wallet.version)));
  }
  return print_past(context, wallet, **past);
}

int run_show(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "ID", parse_wallet_id);
  if (!id) return context.fail(id.error());
  const bool past = arguments.has("--at") || arguments.has("--version");
  const auto currency = world_currency(*id);
  if (currency && past) {
    return context.fail(has_no_history(field_pointer("ID"), *id));
  }
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  if (currency) return show_world(context, **reader, *id, *currency);
  Amounts amounts(**reader);
  auto wallet = (*reader)->find_wallet(*id);
  if (!wallet) return context.fail(wallet.error());
  if (!*wallet) return not_found(context, amounts, *id);
  if (past) {
    return show_past(arguments, context, **reader, **wallet);
  }
  report_wallet(context, **wallet);
  return 0;
}

void add_row(Table& table, const Wallet& wallet) {
  const auto available = subtract(wallet.balance, wallet.held);
  const auto show = [&](MinorUnits units) {
    return format_decimal(units, wallet.currency.exponent);
  };
  table.add({wallet.id.view(),
             show(wallet.balance),
             show(wallet.held),
             available ? show(*available) : "beyond 64 bits",
             wallet.currency.code.view(),
             Cell(to_string(wallet.status), colour_of(wallet.status)),
             std::to_string(wallet.version)});
}

void print_page(Context& context, Table& table, const std::vector<Wallet>& wallets) {
  for (const Wallet& wallet : wallets) {
    if (context.json()) {
      context.line(json::to_object(wallet).text());
    } else {
      add_row(table, wallet);
    }
  }
}

/// How many to print and where to begin.
struct ListQuery {
  std::uint64_t left = UINT64_MAX;
  Cursor cursor;
};

Result<ListQuery> read_query(const Arguments& arguments) {
  ListQuery query;
  if (const auto limit = arguments.find("--limit")) {
    const auto number = parse_unsigned(*limit);
    if (!number || *number == 0) {
      return bad_argument("--limit", "--limit takes a whole number, 1 or more");
    }
    query.left = *number;
  }
  query.cursor = arguments.find("--cursor");
  return query;
}

void print_cursor(Context& context, const std::string& cursor) {
  if (context.json()) return context.line(json::Object().set("next_cursor", cursor).text());
  context.note(fmt::format("there are more: go on with --cursor {}", cursor));
}

Status list_wallets(Context& context, Reader& reader, ListQuery query) {
  Table table(context.out(),
              context.out_style(),
              {{"wallet"},
               {"balance", Column::Align::right},
               {"held", Column::Align::right},
               {"available", Column::Align::right},
               {"currency"},
               {"status"},
               {"version", Column::Align::right}});
  while (context.out().open()) {
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::uint64_t>(query.left, page_size));
    auto page = reader.list_wallets(query.cursor, count);
    if (!page) return std::move(page).error();
    print_page(context, table, page->items);
    query.left -= std::min<std::uint64_t>(query.left, page->items.size());
    query.cursor = std::move(page->next);
    if (!query.cursor) break;
    if (query.left == 0) {
      table.print();
      print_cursor(context, *query.cursor);
      break;
    }
  }
  return {};
}

int run_list(const Arguments& arguments, Context& context) {
  auto query = read_query(arguments);
  if (!query) return context.fail(query.error());
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  const Status status = list_wallets(context, **reader, *query);
  return status ? 0 : context.fail(status.error());
}

/// What helps where the status of a wallet could not be changed.
std::string status_advice(Reader& reader, Amounts& amounts, const Refusal& refusal) {
  if (refusal.code == Code::wallet_not_found) return "`mizan wallet list` shows those there are";
  if (refusal.code != Code::limit_exceeded || !refusal.wallet) return {};
  const auto wallet = reader.find_wallet(*refusal.wallet);
  if (!wallet || !*wallet) return {};
  const CurrencyCode& currency = (*wallet)->currency.code;
  return fmt::format(
      "that is {}, and {} held: bring the balance to 0 with `mizan withdraw`, "
      "`transfer` or `deposit`, and end its holds with `mizan hold capture` or `void`",
      amounts.show((*wallet)->balance, currency),
      amounts.show((*wallet)->held, currency));
}

int change_status(const Arguments& arguments, Context& context, WalletStatus status) {
  auto id = read_argument(arguments, "ID", parse_wallet_id);
  if (!id) return context.fail(id.error());
  auto backend = context.open_backend(Access::write);
  if (!backend) return context.fail(backend.error());
  CallOptions options;
  options.deadline = context.deadline();
  WalletPatch patch;
  patch.status = status;
  auto answer = (*backend)->patch_wallet(*id, patch, options);
  if (!answer) return context.fail(answer.error());
  if (const Wallet* wallet = std::get_if<Wallet>(&*answer)) {
    report_wallet(context, *wallet);
    return 0;
  }
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  Amounts amounts(**reader);
  const Refusal& refusal = std::get<Refusal>(*answer);
  const std::string advice = status_advice(**reader, amounts, refusal);
  return report_refusal(context, amounts, refusal, {.advice = advice});
}

Command status_command(std::string name,
                       std::string summary,
                       std::string description,
                       WalletStatus status) {
  Command command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.description = std::move(description);
  command.arguments = {{.name = "ID", .help = "The wallet"}};
  command.examples = {{fmt::format("mizan wallet {} alice", command.name), command.summary}};
  command.run = [status](const Arguments& arguments, Context& context) {
    return change_status(arguments, context, status);
  };
  return command;
}

Command create_command() {
  return {
      .name = "create",
      .summary = "Create a wallet",
      .description =
          "A wallet that exists with the same currency and limit is no error. Ids "
          "are 1 to 64 of A-Z a-z 0-9 . _ : @ / - and do not begin with @.",
      .arguments = {{.name = "ID", .help = "The new wallet's id"}},
      .options = {{.name = "--currency",
                   .values = {"CUR"},
                   .help = "The currency that it holds, for good",
                   .required = true},
                  {.name = "--min-balance",
                   .values = {"AMOUNT|none"},
                   .help = "The least that a debit may leave available, in units of the "
                           "currency; negative is an overdraft, none is no limit; default 0"},
                  {.name = "--metadata", .values = {"K=V"}, .help = "Up to 16", .repeatable = true},
                  {.name = "--dry-run", .help = "Decide everything, keep nothing"}},
      .examples = {{"mizan wallet create alice --currency EUR", "An ordinary wallet"},
                   {"mizan wallet create shop --currency EUR --min-balance -500.00",
                    "With an overdraft of 500 euros"}},
      .run = run_create};
}

Command show_command() {
  return {.name = "show",
          .summary = "Show a wallet, now or in the past",
          .description =
              "Also for @world/CUR, where money enters and leaves; that one only as it is now.",
          .arguments = {{.name = "ID", .help = "The wallet"}},
          .options = {{.name = "--at",
                       .values = {"TIME"},
                       .help = "The balance at a time, e.g. 2026-03-01T12:00:00Z or 2026-03-01 "
                               "(midnight UTC)"},
                      {.name = "--version",
                       .values = {"N"},
                       .help = "The balance after the wallet's entry number N"}},
          .examples = {{"mizan wallet show alice", "As it is now"},
                       {"mizan wallet show alice --at 2026-01-01", "As it was at new year"}},
          .run = run_show};
}

}  // namespace

Command wallet_command() {
  Command command;
  command.name = "wallet";
  command.summary = "Create, show, list, freeze, unfreeze and close wallets";
  command.children = {
      create_command(),
      show_command(),
      {.name = "list",
       .summary = "List the wallets in order of their ids",
       .options = {{.name = "--limit", .values = {"N"}, .help = "At most so many; default all"},
                   {.name = "--cursor",
                    .values = {"CURSOR"},
                    .help = "Go on where the page before ended"}},
       .examples = {{"mizan wallet list --limit 20", "A page; tells how to go on"},
                    {"mizan wallet list --json", "One object a line"}},
       .run = run_list},
      status_command("freeze",
                     "Refuse debits and credits of a wallet",
                     "Nothing moves in or out until it is unfrozen. Holds stay.",
                     WalletStatus::frozen),
      status_command(
          "unfreeze", "Let money move again", "The reverse of freeze.", WalletStatus::active),
      status_command("close",
                     "Close a wallet for good",
                     "Needs balance 0 and no holds. A closed wallet stays closed; its history "
                     "stays readable.",
                     WalletStatus::closed)};
  return command;
}

}  // namespace mizan::cli
