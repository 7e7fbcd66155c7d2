#include "cli/report.hpp"

#include "base/match.hpp"
#include "base/no_token_left.hpp"
#include "json/shapes.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace mizan::cli {
namespace {

/// What a person can do about an answer; empty where the answer says it all.
std::string advice(Code code, const std::optional<OperationId>& id) {
  const std::string same_id =
      id ? fmt::format("with --id {}", id->view()) : std::string("unchanged");
  switch (code) {
    case Code::applied:
    case Code::already_applied:
      return {};
    case Code::operation_mismatch:
      return "the id belongs to another request; `mizan operation show` tells which. Use a new id";
    case Code::stale_fence:
      return "somebody newer holds the lock: acquire it again";
    case Code::wallet_not_found:
      return "create it with `mizan wallet create ID --currency CUR`";
    case Code::wallet_frozen:
      return "`mizan wallet unfreeze` lifts it";
    case Code::wallet_closed:
      return {};
    case Code::currency_mismatch:
      return "money moves between wallets of one currency only";
    case Code::same_wallet:
    case Code::invalid_amount:
    case Code::limit_exceeded:
      return {};
    case Code::hold_not_open:
      return "`mizan hold show` tells what became of it";
    case Code::already_reversed:
      return "`mizan operation show` tells by which operation";
    case Code::not_reversible:
      return {};
    case Code::operation_not_found:
      return "nothing was ever applied under this id";
    case Code::hold_not_found:
      return "a hold has the id of the operation that created it";
    case Code::condition_failed:
      return "read the wallet again, then decide anew";
    case Code::insufficient_funds:
      return {};
    case Code::wallet_exists:
      return "`mizan wallet show` tells how it was made";
    case Code::invalid_request:
    case Code::unauthorized:
    case Code::forbidden:
      return {};
    case Code::rate_limited:
      return "try again later";
    case Code::lock_busy:
    case Code::contended:
    case Code::in_progress:
    case Code::unavailable:
      return fmt::format("nothing was applied by this attempt; repeat it {}", same_id);
    case Code::unknown:
      return fmt::format("it may have been applied. Repeat it {}: it is applied at most once",
                         same_id);
    case Code::internal:
      return "`mizan doctor` checks the store; where that is sound this is a defect: please report "
             "it";
  }
  return {};
}

void note_advice(Context& context, Code code, const About& about) {
  const std::string text = about.advice ? std::string(*about.advice) : advice(code, about.id);
  if (!text.empty()) context.note(fmt::format("  {}", text));
}

std::optional<Currency> currency_of(const Refusal& refusal, Amounts& amounts) {
  if (!refusal.wallet) return std::nullopt;
  auto currency = amounts.find_wallet_currency(*refusal.wallet);
  return currency ? *currency : std::nullopt;
}

std::string show_side(const std::optional<MinorUnits>& balance,
                      Amounts& amounts,
                      const CurrencyCode& currency) {
  return balance ? amounts.show(*balance, currency) : std::string("-");
}

}  // namespace

std::string describe(const Refusal& refusal, const std::optional<Currency>& currency) {
  if (!refusal.failures.empty()) {
    std::string text = "not as expected:";
    for (const ConditionFailure& failure : refusal.failures) {
      text += fmt::format(" {} of {} is {}, expected {};",
                          failure.field,
                          failure.wallet.view(),
                          failure.actual,
                          failure.expected);
    }
    text.pop_back();
    return text;
  }
  const auto show = [&currency](MinorUnits units) {
    return fmt::format("{} {}", format_decimal(units, currency->exponent), currency->code.view());
  };
  if (refusal.code == Code::insufficient_funds && currency && refusal.available && refusal.needed) {
    return fmt::format("{} has {} available, {} needed",
                       refusal.wallet ? refusal.wallet->view() : "the wallet",
                       show(*refusal.available),
                       show(*refusal.needed));
  }
  // The rules do not know how many decimals a currency has.
  const bool in_minor_units =
      refusal.code == Code::limit_exceeded || refusal.code == Code::invalid_amount;
  return in_minor_units ? refusal.detail + " (in minor units)" : refusal.detail;
}

std::string show_min_balance(const Wallet& wallet) {
  if (!wallet.min_balance) return "none";
  return fmt::format("{} {}",
                     format_decimal(*wallet.min_balance, wallet.currency.exponent),
                     wallet.currency.code.view());
}

std::string show_metadata(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata.items()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

Colour colour_of(WalletStatus status) {
  switch (status) {
    case WalletStatus::active:
      return Colour::good;
    case WalletStatus::frozen:
      return Colour::caution;
    case WalletStatus::closed:
      return Colour::faint;
  }
  return Colour::none;
}

void report_receipt(Context& context, Amounts& amounts, const Receipt& receipt, Occasion occasion) {
  if (context.json()) return context.line(json::to_object(receipt, occasion.outcome).text());
  const Style& style = context.out_style();
  const bool replay = occasion.outcome == Code::already_applied;
  const std::string_view word = replay                           ? "already applied"
                                : occasion.kept == Kept::dry_run ? "would be applied"
                                                                 : "applied";
  context.line(fmt::format("{}  {} {}  {}",
                           style.paint(replay ? Colour::caution : Colour::good, word),
                           to_string(receipt.type),
                           safe(receipt.id.view()),
                           style.paint(Colour::faint, to_rfc3339(receipt.applied_at))));
  if (receipt.reverses) {
    context.line(fmt::format("reverses  {}", safe(receipt.reverses->view())));
  }
  if (receipt.reversed_by) {
    context.line(fmt::format("reversed by  {}", safe(receipt.reversed_by->view())));
  }
  if (!receipt.metadata.empty()) {
    context.line(fmt::format("metadata  {}", safe(show_metadata(receipt.metadata))));
  }
  if (receipt.hold) report_hold(context, amounts, *receipt.hold);
  if (receipt.legs.empty()) return;
  Table table(context.out(),
              style,
              {{"from"},
               {"to"},
               {"amount", Column::Align::right},
               {"from has", Column::Align::right},
               {"to has", Column::Align::right}});
  for (const LegReceipt& leg : receipt.legs) {
    table.add({leg.from.view(),
               leg.to.view(),
               amounts.show(leg.amount, leg.currency),
               show_side(leg.from_balance, amounts, leg.currency),
               show_side(leg.to_balance, amounts, leg.currency)});
  }
}

int report_refusal(Context& context, Amounts& amounts, const Refusal& refusal, const About& about) {
  if (context.json()) {
    context.line(json::problem_object(refusal, {about.id, context.request_id()}).text());
    return exit_status(refusal.code);
  }
  context.note(fmt::format("{}: {}: {}",
                           context.err_style().paint(Colour::bad, "refused"),
                           to_string(refusal.code),
                           safe(describe(refusal, currency_of(refusal, amounts)))));
  if (about.id) context.note(fmt::format("  operation {}", safe(about.id->view())));
  // Nobody gets a newer token than the greatest: the refusal itself says what to do.
  if (refusal.newest_token != greatest_token) note_advice(context, refusal.code, about);
  return exit_status(refusal.code);
}

int report_error(Context& context,
                 const Error& error,
                 const About& about,
                 std::string_view field_code) {
  if (context.json()) {
    context.line(json::problem_object(error, {about.id, context.request_id(), field_code}).text());
    return exit_status(error.code);
  }
  // The step that failed matters where something broke, not where a word was mistyped.
  const bool tell_where = error.code == Code::internal || error.code == Code::unknown ||
                          error.code == Code::unavailable;
  const std::string place =
      tell_where && !error.where.empty() ? fmt::format(" [{}]", safe(error.where)) : "";
  const std::string name =
      error.code == Code::invalid_request ? "" : fmt::format("{}: ", to_string(error.code));
  context.note(fmt::format("{}: {}{}{}",
                           context.err_style().paint(Colour::bad, "mizan"),
                           name,
                           safe(error.detail),
                           place));
  // Where repeating is no use, or would be another request, the hint to repeat would lead astray.
  const bool is_another = error.code == Code::unknown && !about.id;
  const bool permanent =
      error.retry == Retry::never && (error.code == Code::unavailable || is_another);
  if (!permanent) note_advice(context, error.code, about);
  return exit_status(error.code);
}

int report_outcome(Context& context, Amounts& amounts, const Answer& answer) {
  if (!answer.outcome) return report_error(context, answer.outcome.error(), {answer.id});
  const Outcome& outcome = *answer.outcome;
  if (const Receipt* receipt = receipt_of(outcome)) {
    report_receipt(context, amounts, *receipt, {code_of(outcome), answer.kept});
    return 0;
  }
  return report_refusal(context, amounts, *std::get<Refused>(outcome).refusal, {answer.id});
}

void report_wallet(Context& context, const Wallet& wallet) {
  if (context.json()) return context.line(json::to_object(wallet).text());
  const auto show = [&](MinorUnits units) {
    return fmt::format(
        "{} {}", format_decimal(units, wallet.currency.exponent), wallet.currency.code.view());
  };
  // Balance and held are two reads of one row: their difference is within 64 bits by the rules.
  const auto available = subtract(wallet.balance, wallet.held);
  Table table(context.out(), context.out_style(), {{"wallet"}, {wallet.id.str()}});
  table.add({"balance", Cell(show(wallet.balance), Colour::strong)});
  table.add({"held", show(wallet.held)});
  table.add({"available", available ? show(*available) : "beyond 64 bits"});
  table.add({"min balance", show_min_balance(wallet)});
  table.add({"status", Cell(to_string(wallet.status), colour_of(wallet.status))});
  table.add({"version", std::to_string(wallet.version)});
  table.add({"created", to_rfc3339(wallet.created_at)});
  if (!wallet.metadata.empty()) table.add({"metadata", show_metadata(wallet.metadata)});
}

void report_hold(Context& context, Amounts& amounts, const Hold& hold) {
  if (context.json()) return context.line(json::to_object(hold).text());
  Table table(context.out(), context.out_style(), {{"hold"}, {hold.id.str()}});
  table.add({"wallet", hold.wallet.view()});
  table.add({"to", hold.to.view()});
  table.add({"amount", amounts.show(hold.amount, hold.currency)});
  table.add({"captured", amounts.show(hold.captured, hold.currency)});
  table.add({"remaining", Cell(amounts.show(remaining(hold), hold.currency), Colour::strong)});
  table.add({"status", to_string(hold.status)});
  table.add({"expires", hold.expires_at ? to_rfc3339(*hold.expires_at) : "never"});
  table.add({"created", to_rfc3339(hold.created_at)});
}

}  // namespace mizan::cli
