#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mizan {

/// Every answer there is, in order of precedence: when several refusals apply at once, the
/// earlier one is given. The numbers are stored with final refusals; never renumber, only append.
enum class Code : std::uint8_t {
  applied = 0,
  already_applied = 1,
  operation_mismatch = 2,
  stale_fence = 3,
  wallet_not_found = 4,
  wallet_frozen = 5,
  wallet_closed = 6,
  currency_mismatch = 7,
  same_wallet = 8,
  invalid_amount = 9,
  limit_exceeded = 10,
  hold_not_open = 11,
  already_reversed = 12,
  not_reversible = 13,
  operation_not_found = 14,
  hold_not_found = 15,
  condition_failed = 16,
  insufficient_funds = 17,
  wallet_exists = 18,
  invalid_request = 19,
  unauthorized = 20,
  forbidden = 21,
  rate_limited = 22,
  lock_busy = 23,
  contended = 24,
  in_progress = 25,
  unavailable = 26,
  unknown = 27,
  internal = 28,
};

/// The code as it stands in JSON, logs and metrics, e.g. "insufficient_funds".
[[nodiscard]] std::string_view to_string(Code code) noexcept;

/// The reverse of `to_string`; nothing for a text that is no code.
[[nodiscard]] std::optional<Code> parse_code(std::string_view text) noexcept;

/// HTTP status of an answer with this code (RFC 9110), by the table in docs/reference/outcomes.md.
[[nodiscard]] int http_status(Code code) noexcept;

/// Exit status of the command line: 0 applied or already applied, 1 usage, 2 refused, 3 busy or
/// unavailable, 4 unknown, 5 internal.
[[nodiscard]] int exit_status(Code code) noexcept;

/// True for the refusals of the money rules (steps 4 and 5 of the decision), the ones that
/// `RefusalMode::final` stores with the operation id. `stale_fence` is never stored.
[[nodiscard]] bool is_business_refusal(Code code) noexcept;

/// May the same request, unchanged, succeed later?
[[nodiscard]] bool is_retryable(Code code) noexcept;

}  // namespace mizan
