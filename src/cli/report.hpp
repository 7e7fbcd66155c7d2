#pragma once

#include "mizan/outcome.hpp"
#include "mizan/result.hpp"
#include "mizan/wallet.hpp"

#include "cli/amounts.hpp"
#include "cli/context.hpp"
#include "json/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::cli {

/// Was it done, or only decided?
enum class Kept : std::uint8_t { yes, dry_run };

/// The ledger's answer to one operation.
struct Answer {
  const OperationId& id;
  const Result<Outcome>& outcome;
  Kept kept = Kept::yes;
};

/// Prints it; answers the exit status.
int report_outcome(Context& context, Amounts& amounts, const Answer& answer);

/// Why a receipt is shown.
struct Occasion {
  Code outcome = Code::applied;
  Kept kept = Kept::yes;
};

/// Prints what is recorded of an operation.
void report_receipt(Context& context,
                    Amounts& amounts,
                    const Receipt& receipt,
                    Occasion occasion = {});

/// A refusal in words, with decimal amounts where the currency is known.
[[nodiscard]] std::string describe(const Refusal& refusal, const std::optional<Currency>& currency);

/// What an answer is about, and what a person can do about it.
struct About {
  std::optional<OperationId> id = std::nullopt;  ///< Absent where there is no operation.

  /// Absent: what helps an operation that was answered so.
  std::optional<std::string_view> advice = std::nullopt;
};

/// Prints a refusal; answers the exit status.
int report_refusal(Context& context,
                   Amounts& amounts,
                   const Refusal& refusal,
                   const About& about = {});

/// Prints an error and what to do next; answers the exit status. `field_code` says what is wrong
/// with the field of a malformed request.
int report_error(Context& context,
                 const Error& error,
                 const About& about = {},
                 std::string_view field_code = json::field_code::invalid_value);

void report_wallet(Context& context, const Wallet& wallet);
void report_hold(Context& context, Amounts& amounts, const Hold& hold);

/// `12.34 EUR`, or `none` for no limit.
[[nodiscard]] std::string show_min_balance(const Wallet& wallet);
[[nodiscard]] std::string show_metadata(const Metadata& metadata);
[[nodiscard]] Colour colour_of(WalletStatus status);

}  // namespace mizan::cli
