#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "json/problem.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <string>

namespace mizan::cli {
namespace {

std::string currency_json(const Currency& currency, std::string_view origin) {
  return json::to_object(currency).set("origin", origin).text();
}

int run_add(const Arguments& arguments, Context& context) {
  auto code = read_argument(arguments, "CODE", parse_currency_code);
  if (!code) return context.fail(code.error());
  const auto exponent = parse_unsigned(arguments.require("EXPONENT"));
  if (!exponent || *exponent > exponent_max) {
    return context.fail(bad_argument(
        "EXPONENT", fmt::format("EXPONENT is the number of decimals, 0 to {}", exponent_max)));
  }
  const Currency currency{*code, static_cast<std::uint8_t>(*exponent)};
  auto backend = context.open_backend(Access::write);
  if (!backend) return context.fail(backend.error());
  CallOptions options;
  options.deadline = context.deadline();
  auto added = (*backend)->add_currency(currency, options);
  if (!added) return context.fail(added.error());
  if (context.json()) {
    context.line(currency_json(currency, "registered"));
  } else {
    context.line(fmt::format("{} with {} decimals {}",
                             code->view(),
                             *exponent,
                             *added ? "is registered" : "was registered already"));
  }
  return 0;
}

int run_list(const Arguments& arguments, Context& context) {
  auto backend = context.open_backend(Access::read);
  if (!backend) return context.fail(backend.error());
  auto reader = (*backend)->read();
  if (!reader) return context.fail(reader.error());
  auto registered = (*reader)->list_registered_currencies();
  if (!registered) return context.fail(registered.error());
  Table table(context.out(),
              context.out_style(),
              {{"currency"}, {"decimals", Column::Align::right}, {"origin"}});
  const auto print = [&](const Currency& currency, std::string_view origin) {
    if (context.json()) return context.line(currency_json(currency, origin));
    table.add({currency.code.view(), std::to_string(currency.exponent), origin});
  };
  for (const Currency& currency : *registered) print(currency, "registered");
  if (!arguments.has("--registered")) {
    for (const Currency& currency : iso_currencies()) print(currency, "ISO 4217");
  }
  return 0;
}

}  // namespace

Command currency_command() {
  Command command;
  command.name = "currency";
  command.summary = "Register and list currencies";
  command.description =
      "The currencies of ISO 4217 are built in. Others (points, tokens) are "
      "registered with the number of their decimals, once, for good.";
  command.children = {
      {.name = "add",
       .summary = "Register a currency",
       .description = "The number of decimals cannot be changed later. Registering the same again "
                      "is no error.",
       .arguments = {{.name = "CODE", .help = "A capital letter, then 2 to 9 of A-Z and 0-9"},
                     {.name = "EXPONENT", .help = "Decimals of its minor unit, 0 to 18"}},
       .examples = {{"mizan currency add POINTS 0", "Whole points"},
                    {"mizan currency add BTC 8", "Satoshis as minor units"}},
       .run = run_add},
      {.name = "list",
       .summary = "List the currencies",
       .options = {{.name = "--registered", .help = "Without those of ISO 4217"}},
       .examples = {{"mizan currency list --registered", "What was added here"}},
       .run = run_list}};
  return command;
}

}  // namespace mizan::cli
