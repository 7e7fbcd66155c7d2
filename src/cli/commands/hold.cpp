#include "cli/amounts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/duration.hpp"
#include "cli/operation_request.hpp"
#include "cli/report.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

constexpr std::chrono::hours expiry_max{3'660 * 24};  // As the ledger has it.

Refusal no_such_hold(const OperationId& id) {
  Refusal refusal;
  refusal.code = Code::hold_not_found;
  refusal.pointer = "/hold";
  refusal.detail = fmt::format("there is no hold {}", id.view());
  return refusal;
}

Result<CreateHold> read_create(const Arguments& arguments) {
  auto wallet = read_argument(arguments, "WALLET", parse_wallet_id);
  if (!wallet) return std::move(wallet).error();
  CreateHold hold;
  hold.wallet = *wallet;
  if (const auto to = arguments.find("--to")) {
    auto id = in_field("/to", parse_wallet_id(*to));
    if (!id) return std::move(id).error();
    hold.to = *id;
  }
  if (const auto expires = arguments.find("--expires")) {
    auto duration = in_field("/expires_in", read_duration(*expires, "3660d"));
    if (!duration) return std::move(duration).error();
    if (*duration > expiry_max) {
      return bad_argument("--expires", "--expires is at most 3660d");
    }
    hold.expires_in = *duration;
  }
  return hold;
}

int run_create(const Arguments& arguments, Context& context) {
  auto hold = read_create(arguments);
  if (!hold) return context.fail(hold.error());
  auto text =
      in_field("/amount", split_amount(arguments.require("AMOUNT"), arguments.find("CURRENCY")));
  if (!text) return context.fail(text.error());
  return run_operation(arguments, context, [&](Reader&, Amounts& amounts) -> Result<ReadBody> {
    ReadBody read;
    auto amount = in_field("/amount", read_amount(amounts, *text, hold->wallet, read.unreadable));
    if (!amount) return std::move(amount).error();
    hold->amount = amount->units;
    hold->currency = amount->currency;
    read.body = *hold;
    return read;
  });
}

/// A capture whose amount cannot be read; a stand-in of 1 minor unit takes its place.
ReadBody unreadable_capture(const OperationId& id, Refusal refusal) {
  return {.body = CaptureHold{id, MinorUnits{1}},
          .unreadable = std::make_shared<const Refusal>(std::move(refusal))};
}

/// The currency is the hold's; another one that was stated is a mismatch. A capture has no field
/// for a currency, so that a stated one does not help where the hold is missing.
Result<ReadBody> read_capture(const OperationId& id,
                              const AmountText& text,
                              Reader& reader,
                              Amounts& amounts) {
  auto hold = reader.find_hold(id);
  if (!hold) return std::move(hold).error();
  if (!*hold) return unreadable_capture(id, no_such_hold(id));
  auto currency = amounts.load_currency((*hold)->currency.view());
  if (!currency) return std::move(currency).error();
  if (!text.currency.empty() && text.currency != currency->code.view()) {
    Refusal refusal;
    refusal.code = Code::currency_mismatch;
    refusal.detail = fmt::format(
        "hold {} is in {}, the request says {}", id.view(), currency->code.view(), text.currency);
    return unreadable_capture(id, std::move(refusal));
  }
  auto units = in_field("/amount", parse_decimal(text.number, currency->exponent));
  if (!units) return std::move(units).error();
  return ReadBody{CaptureHold{id, *units}};
}

int run_capture(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "HOLD", parse_operation_id);
  if (!id) return context.fail(id.error());
  std::optional<AmountText> text;
  if (const auto amount = arguments.find("AMOUNT")) {
    auto split = in_field("/amount", split_amount(*amount, arguments.find("CURRENCY")));
    if (!split) return context.fail(split.error());
    text = std::move(*split);
  }
  return run_operation(
      arguments, context, [&](Reader& reader, Amounts& amounts) -> Result<ReadBody> {
        if (text) return read_capture(*id, *text, reader, amounts);
        return ReadBody{CaptureHold{*id, std::nullopt}};
      });
}

int run_void(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "HOLD", parse_operation_id);
  if (!id) return context.fail(id.error());
  return run_operation(arguments, context, [&](Reader&, Amounts&) -> Result<ReadBody> {
    return ReadBody{VoidHold{*id}};
  });
}

int run_show(const Arguments& arguments, Context& context) {
  auto id = read_argument(arguments, "HOLD", parse_operation_id);
  if (!id) return context.fail(id.error());
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  auto hold = (*reader)->find_hold(*id);
  if (!hold) return context.fail(hold.error());
  Amounts amounts(**reader);
  if (!*hold) return report_refusal(context, amounts, no_such_hold(*id));
  report_hold(context, amounts, **hold);
  return 0;
}

std::vector<Option> create_options() {
  std::vector<Option> options = operation_options();
  options.insert(
      options.begin(),
      {{.name = "--to",
        .values = {"WALLET"},
        .help = "Who receives what is captured; without it the money leaves (@world)"},
       {.name = "--expires",
        .values = {"DURATION"},
        .help = "Given back by itself after this long, e.g. 15m or 7d, at most 3660d; default "
                "never"}});
  return options;
}

}  // namespace

Command hold_command() {
  Command command;
  command.name = "hold";
  command.summary = "Reserve money, then capture or give it back";
  command.children = {
      {.name = "create",
       .summary = "Reserve money",
       .description = "Lowers what is available, not the balance. The hold's id is the id of "
                      "this operation.",
       .arguments = {{.name = "WALLET", .help = "The wallet whose money is reserved"},
                     {.name = "AMOUNT", .help = "A decimal number, such as 12.34"},
                     {.name = "CURRENCY", .help = "Checked against the wallet", .required = false}},
       .options = create_options(),
       .examples = {{"mizan hold create alice 50.00 --to hotel --expires 7d --id booking-9",
                     "For a week"}},
       .run = run_create},
      {.name = "capture",
       .summary = "Move held money, all or a part",
       .description = "May be done several times, until nothing is left; the rest stays held.",
       .arguments = {{.name = "HOLD", .help = "The hold's id"},
                     {.name = "AMOUNT", .help = "Default: all that remains", .required = false},
                     {.name = "CURRENCY", .help = "Checked against the hold", .required = false}},
       .options = operation_options(),
       .examples = {{"mizan hold capture booking-9 20.00", "A part"},
                    {"mizan hold capture booking-9", "All that remains"}},
       .run = run_capture},
      {.name = "void",
       .summary = "Give held money back",
       .description = "What was captured before stays captured.",
       .arguments = {{.name = "HOLD", .help = "The hold's id"}},
       .options = operation_options(),
       .examples = {{"mizan hold void booking-9", "The rest is available again"}},
       .run = run_void},
      {.name = "show",
       .summary = "Show a hold",
       .arguments = {{.name = "HOLD", .help = "The hold's id"}},
       .examples = {{"mizan hold show booking-9", "What is left of it"}},
       .run = run_show}};
  return command;
}

}  // namespace mizan::cli
