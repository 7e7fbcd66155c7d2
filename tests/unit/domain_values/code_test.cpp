#include "mizan/code.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace mizan {
namespace {

struct Expected {
  Code code;
  std::string_view name;
  int http;
  int exit;
  bool business;
  bool retryable;
};

// Spec 5.3 (status, whether to repeat) and 8 (exit status), one line per outcome.
constexpr Expected table[] = {
    {Code::applied, "applied", 201, 0, false, true},
    {Code::already_applied, "already_applied", 200, 0, false, true},
    {Code::operation_mismatch, "operation_mismatch", 422, 2, false, false},
    {Code::stale_fence, "stale_fence", 409, 2, false, false},
    {Code::wallet_not_found, "wallet_not_found", 404, 2, true, false},
    {Code::wallet_frozen, "wallet_frozen", 422, 2, true, false},
    {Code::wallet_closed, "wallet_closed", 422, 2, true, false},
    {Code::currency_mismatch, "currency_mismatch", 422, 2, true, false},
    {Code::same_wallet, "same_wallet", 422, 2, true, false},
    {Code::invalid_amount, "invalid_amount", 422, 2, true, false},
    {Code::limit_exceeded, "limit_exceeded", 422, 2, true, false},
    {Code::hold_not_open, "hold_not_open", 422, 2, true, false},
    {Code::already_reversed, "already_reversed", 422, 2, true, false},
    {Code::not_reversible, "not_reversible", 422, 2, true, false},
    {Code::operation_not_found, "operation_not_found", 404, 2, true, false},
    {Code::hold_not_found, "hold_not_found", 404, 2, true, false},
    {Code::condition_failed, "condition_failed", 412, 2, true, false},
    {Code::insufficient_funds, "insufficient_funds", 422, 2, true, false},
    {Code::wallet_exists, "wallet_exists", 409, 2, false, false},
    {Code::invalid_request, "invalid_request", 400, 1, false, false},
    {Code::unauthorized, "unauthorized", 401, 2, false, false},
    {Code::forbidden, "forbidden", 403, 2, false, false},
    {Code::rate_limited, "rate_limited", 429, 3, false, true},
    {Code::lock_busy, "lock_busy", 409, 3, false, true},
    {Code::contended, "contended", 409, 3, false, true},
    {Code::in_progress, "in_progress", 409, 3, false, true},
    {Code::unavailable, "unavailable", 503, 3, false, true},
    {Code::unknown, "unknown", 504, 4, false, true},
    {Code::internal, "internal", 500, 5, false, false},
};

TEST(Code, answers_as_the_outcome_table_says) {
  for (const Expected& row : table) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(to_string(row.code), row.name);
    EXPECT_EQ(parse_code(row.name), row.code);
    EXPECT_EQ(http_status(row.code), row.http);
    EXPECT_EQ(exit_status(row.code), row.exit);
    EXPECT_EQ(is_business_refusal(row.code), row.business);
    EXPECT_EQ(is_retryable(row.code), row.retryable);
  }
}

// The numbers are stored: each must keep its own for ever.
TEST(Code, is_numbered_in_the_order_of_the_table) {
  std::uint8_t number = 0;
  for (const Expected& row : table) EXPECT_EQ(static_cast<std::uint8_t>(row.code), number++);
}

TEST(Code, does_not_parse_what_is_no_code) {
  for (const char* text : {"", "Applied", "applied ", "insufficient", "0"}) {
    EXPECT_FALSE(parse_code(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mizan
