#pragma once

#include "mizan/ids.hpp"
#include "mizan/money.hpp"

#include "cli/backend.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace mizan::cli {

/// The name of a wallet in plain-text accounting: `wallet:alice`, `world:EUR`. A `:` in the id
/// would make a level of its own there, so it (like every character outside `A-Za-z0-9._/-`) is
/// written as `%` and two hexadecimal digits; ids hold no `%`, so the way back is certain.
[[nodiscard]] std::string hledger_name(const WalletId& id);

/// The reverse; nothing for a name that is none of ours.
[[nodiscard]] std::optional<WalletId> parse_hledger_name(std::string_view name);

/// Writes operations as a journal that both hledger and ledger read. Each line asserts the balance
/// that Mizan has after it, so that the readers check every balance themselves. One thread at a
/// time.
class HledgerWriter {
 public:
  /// What stands before the first operation.
  [[nodiscard]] static std::string preamble();

  /// The text of one operation, with the currencies that are new in it declared before it.
  [[nodiscard]] std::string write(const JournalOperation& operation);

 private:
  void declare(std::string& out, const Currency& currency);

  std::set<std::string> declared_;
};

}  // namespace mizan::cli
