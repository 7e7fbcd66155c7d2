#include "cli/amounts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/operation_request.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

constexpr const char* amount_help =
    "A decimal number with at most the currency's decimals, such as 12.34";
constexpr const char* currency_help =
    "Checked against the wallet; may also stand with the amount: \"12.34 EUR\"";

/// Deposit and withdrawal are the same form.
template <class Body>
int run_one_wallet(const Arguments& arguments, Context& context) {
  auto wallet = read_argument(arguments, "WALLET", parse_wallet_id);
  if (!wallet) return context.fail(wallet.error());
  auto text =
      in_field("/amount", split_amount(arguments.require("AMOUNT"), arguments.find("CURRENCY")));
  if (!text) return context.fail(text.error());
  return run_operation(arguments, context, [&](Reader&, Amounts& amounts) -> Result<ReadBody> {
    ReadBody read;
    auto amount = in_field("/amount", read_amount(amounts, *text, *wallet, read.unreadable));
    if (!amount) return std::move(amount).error();
    read.body = Body{*wallet, amount->units, amount->currency};
    return read;
  });
}

/// A leg as it was written.
struct LegWords {
  std::string from;
  std::string to;
  std::string amount;
  std::optional<std::string> currency;
};

struct LegText {
  WalletId from;
  WalletId to;
  AmountText amount;
};

/// FROM TO AMOUNT alone are a leg without a number.
json::Spelling spelling_of(const Arguments& arguments) {
  return {.single_leg = arguments.has("FROM") && !arguments.has("--leg"), .fence_array = false};
}

/// The fields of the leg of this number, which is counted as those of the operation are.
class LegFields {
 public:
  LegFields(const Arguments& arguments, std::size_t number)
      : place_(json::spelt_pointer(fmt::format("/legs/{}", number), spelling_of(arguments))) {}

  [[nodiscard]] std::string pointer(std::string_view part) const {
    return fmt::format("{}/{}", place_, part);
  }

 private:
  std::string place_;
};

Result<LegText> read_leg(const LegWords& words, const LegFields& fields) {
  auto from_id = in_field(fields.pointer("from"), parse_wallet_id(words.from));
  if (!from_id) return std::move(from_id).error();
  auto to_id = in_field(fields.pointer("to"), parse_wallet_id(words.to));
  if (!to_id) return std::move(to_id).error();
  auto text = in_field(fields.pointer("amount"), split_amount(words.amount, words.currency));
  if (!text) return std::move(text).error();
  return LegText{*from_id, *to_id, std::move(*text)};
}

Result<std::vector<LegText>> read_legs(const Arguments& arguments) {
  std::vector<LegText> legs;
  const bool named = arguments.has("FROM");
  if (named && !arguments.has("AMOUNT")) {
    return bad_argument("AMOUNT", "a transfer takes FROM, TO and AMOUNT");
  }
  if (named) {
    auto leg = read_leg({arguments.require("FROM"),
                         arguments.require("TO"),
                         arguments.require("AMOUNT"),
                         arguments.find("CURRENCY")},
                        {arguments, 0});
    if (!leg) return std::move(leg).error();
    legs.push_back(std::move(*leg));
  }
  const std::vector<std::string>& more = arguments.all("--leg");
  for (std::size_t i = 0; i + 2 < more.size(); i += 3) {
    auto leg =
        read_leg({more[i], more[i + 1], more[i + 2], std::nullopt}, {arguments, legs.size()});
    if (!leg) return std::move(leg).error();
    legs.push_back(std::move(*leg));
  }
  if (legs.empty()) {
    return bad_argument("--leg", "a transfer takes FROM, TO and AMOUNT, or --leg FROM TO AMOUNT");
  }
  return legs;
}

int run_transfer(const Arguments& arguments, Context& context) {
  auto legs = read_legs(arguments);
  if (!legs) return context.fail(legs.error());
  return run_operation(arguments, context, [&](Reader&, Amounts& amounts) -> Result<ReadBody> {
    ReadBody read;
    read.spelling = spelling_of(arguments);
    Transfer transfer;
    for (const LegText& leg : *legs) {
      const LegFields fields(arguments, transfer.legs.size());
      auto amount = in_field(fields.pointer("amount"),
                             read_amount(amounts, leg.amount, leg.from, read.unreadable));
      if (!amount) return std::move(amount).error();
      transfer.legs.push_back({leg.from, leg.to, amount->units, amount->currency});
    }
    read.body = std::move(transfer);
    return read;
  });
}

Command one_wallet_command(std::string name, std::string summary, std::string description) {
  Command command;
  command.summary = std::move(summary);
  command.description = std::move(description);
  command.arguments = {{.name = "WALLET", .help = "The wallet"},
                       {.name = "AMOUNT", .help = amount_help},
                       {.name = "CURRENCY", .help = currency_help, .required = false}};
  command.options = operation_options();
  command.examples = {{fmt::format("mizan {} alice 100.00", name), "By the wallet's currency"},
                      {fmt::format("mizan {} alice 100.00 EUR --id order-17", name),
                       "At most once for order-17, and only when alice holds euros"},
                      {fmt::format("mizan {} alice 100.00 --if-version alice=3", name),
                       "Only when nothing happened to alice since it was read"}};
  command.name = std::move(name);
  return command;
}

}  // namespace

std::vector<Command> money_commands() {
  Command deposit =
      one_wallet_command("deposit", "Let money enter", "A leg from @world/CUR to the wallet.");
  deposit.run = run_one_wallet<Deposit>;
  Command withdraw =
      one_wallet_command("withdraw", "Let money leave", "A leg from the wallet to @world/CUR.");
  withdraw.run = run_one_wallet<Withdraw>;
  Command transfer;
  transfer.name = "transfer";
  transfer.summary = "Move money between wallets";
  transfer.description =
      "One to 100 legs, applied all or none, in order. Repeating it with the same id applies "
      "nothing and shows the first answer again.";
  transfer.arguments = {{.name = "FROM", .help = "The wallet that pays", .required = false},
                        {.name = "TO", .help = "The wallet that receives", .required = false},
                        {.name = "AMOUNT", .help = amount_help, .required = false},
                        {.name = "CURRENCY", .help = currency_help, .required = false}};
  transfer.options = operation_options();
  transfer.options.insert(transfer.options.begin(),
                          {.name = "--leg",
                           .values = {"FROM", "TO", "AMOUNT"},
                           .help = "Another leg; with currency: \"12.34 EUR\"",
                           .repeatable = true});
  transfer.examples = {
      {"mizan transfer alice bob 12.34 --id order-17", "At most once for order-17"},
      {"mizan transfer alice shop 97.00 --leg alice fees 3.00", "Two legs, both or neither"},
      {"mizan transfer alice bob 5 --if-version alice=7 --dry-run", "Would it be applied?"}};
  transfer.run = run_transfer;
  return {std::move(deposit), std::move(withdraw), std::move(transfer)};
}

}  // namespace mizan::cli
