#include "mizan/code.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mizan {

namespace {

enum Exit : std::uint8_t {
  exit_applied = 0,
  exit_usage = 1,
  exit_refused = 2,
  exit_busy = 3,
  exit_unknown = 4,
  exit_internal = 5,
};

struct Row {
  Code code;
  std::string_view name;
  int http;
  Exit exit;
  bool business;
  bool retryable;
};

// Retryable means: soon, unchanged, and without anybody doing anything about it. Refusals that end
// when their cause is gone (money arrives, a wallet is thawed) are not: a program that repeated
// them by itself would only make noise.
// clang-format off
constexpr std::array rows = std::to_array<Row>({
    //                                                       HTTP exit           business retryable
    {Code::applied,             "applied",                   201, exit_applied,  false, true},
    {Code::already_applied,     "already_applied",           200, exit_applied,  false, true},
    {Code::operation_mismatch,  "operation_mismatch",        422, exit_refused,  false, false},
    {Code::stale_fence,         "stale_fence",               409, exit_refused,  false, false},
    {Code::wallet_not_found,    "wallet_not_found",          404, exit_refused,  true,  false},
    {Code::wallet_frozen,       "wallet_frozen",             422, exit_refused,  true,  false},
    {Code::wallet_closed,       "wallet_closed",             422, exit_refused,  true,  false},
    {Code::currency_mismatch,   "currency_mismatch",         422, exit_refused,  true,  false},
    {Code::same_wallet,         "same_wallet",               422, exit_refused,  true,  false},
    {Code::invalid_amount,      "invalid_amount",            422, exit_refused,  true,  false},
    {Code::limit_exceeded,      "limit_exceeded",            422, exit_refused,  true,  false},
    {Code::hold_not_open,       "hold_not_open",             422, exit_refused,  true,  false},
    {Code::already_reversed,    "already_reversed",          422, exit_refused,  true,  false},
    {Code::not_reversible,      "not_reversible",            422, exit_refused,  true,  false},
    {Code::operation_not_found, "operation_not_found",       404, exit_refused,  true,  false},
    {Code::hold_not_found,      "hold_not_found",            404, exit_refused,  true,  false},
    {Code::condition_failed,    "condition_failed",          412, exit_refused,  true,  false},
    {Code::insufficient_funds,  "insufficient_funds",        422, exit_refused,  true,  false},
    {Code::wallet_exists,       "wallet_exists",             409, exit_refused,  false, false},
    {Code::invalid_request,     "invalid_request",           400, exit_usage,    false, false},
    {Code::unauthorized,        "unauthorized",              401, exit_refused,  false, false},
    {Code::forbidden,           "forbidden",                 403, exit_refused,  false, false},
    {Code::rate_limited,        "rate_limited",              429, exit_busy,     false, true},
    {Code::lock_busy,           "lock_busy",                 409, exit_busy,     false, true},
    {Code::contended,           "contended",                 409, exit_busy,     false, true},
    {Code::in_progress,         "in_progress",               409, exit_busy,     false, true},
    {Code::unavailable,         "unavailable",               503, exit_busy,     false, true},
    {Code::unknown,             "unknown",                   504, exit_unknown,  false, true},
    {Code::internal,            "internal",                  500, exit_internal, false, false},
});

// clang-format on

constexpr bool stands_at_its_number() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].code) != i) return false;
  }
  return true;
}

static_assert(stands_at_its_number());
static_assert(rows.back().code == Code::internal);

const Row& row_of(Code code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  MIZAN_ASSERT(index < rows.size());
  return rows[index];
}

}  // namespace

std::string_view to_string(Code code) noexcept {
  return row_of(code).name;
}

std::optional<Code> parse_code(std::string_view text) noexcept {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [text](const Row& row) { return row.name == text; });
  if (found == rows.end()) return std::nullopt;
  return found->code;
}

int http_status(Code code) noexcept {
  return row_of(code).http;
}

int exit_status(Code code) noexcept {
  return row_of(code).exit;
}

bool is_business_refusal(Code code) noexcept {
  return row_of(code).business;
}

bool is_retryable(Code code) noexcept {
  return row_of(code).retryable;
}

}  // namespace mizan
